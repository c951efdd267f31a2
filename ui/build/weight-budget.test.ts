import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { weightBudget, weightsOf } from "./weight-budget";

const BUDGET = { entryJs: 200, page: 45, routeJs: 70 };

type Bundle = Parameters<typeof weightsOf>[0];

const noise = (kb: number) => randomBytes(kb * 500).toString("hex");
const chunk = (fileName: string, kb: number, more: object = {}) => ({
  type: "chunk",
  fileName,
  code: noise(kb),
  isEntry: false,
  imports: [],
  dynamicImports: [],
  ...more,
});

const page = (source = "<html></html>") => ({ type: "asset", fileName: "index.html", source });

function bundleOf(...files: { fileName: string }[]): Bundle {
  return Object.fromEntries(files.map((file) => [file.fileName, file])) as unknown as Bundle;
}

it("counts an entry with its imports, a route without the entry's files, and no chart", () => {
  const weights = weightsOf(
    bundleOf(
      chunk("index.js", 40, {
        isEntry: true,
        imports: ["shared.js"],
        dynamicImports: ["Page.js", "VolumeChart.js"],
      }),
      chunk("shared.js", 20),
      chunk("Page.js", 10, { imports: ["shared.js", "table.js"] }),
      chunk("table.js", 10),
      chunk("VolumeChart.js", 100),
      page(),
    ),
    BUDGET,
  );
  const kb = Object.fromEntries(weights.map(({ name, kb }) => [name, kb]));
  // Random hexadecimal text compresses to a little over half its length: of 40 + 20 kB, and of 10 + 10 kB.
  expect(kb["index.js (entry)"]).toBeGreaterThan(30);
  expect(kb["index.js (entry)"]).toBeLessThan(45);
  expect(kb["Page.js"]).toBeGreaterThan(10);
  expect(kb["Page.js"]).toBeLessThan(15);
  expect(kb["VolumeChart.js"]).toBeUndefined();
});

it("counts scripts that are loaded later as the entry's if routes have no budget", () => {
  const bundle = bundleOf(
    chunk("checkout.js", 40, { isEntry: true, dynamicImports: ["Later.js"] }),
    chunk("Later.js", 10, { imports: ["part.js"], dynamicImports: ["last.js"] }),
    chunk("part.js", 10),
    chunk("last.js", 10),
    page(),
  );
  const [entry, ...others] = weightsOf(bundle, { entryJs: 90, page: 8 });
  expect(entry?.kb).toBeGreaterThan(35);
  expect(others.map(({ name }) => name)).toEqual(["index.html (with its styles)"]);
});

it("counts the styles that a page links, and those that it holds", () => {
  const css = { type: "asset", fileName: "assets/a.css", source: noise(20) };
  const kbOf = (html: string) =>
    weightsOf(bundleOf(chunk("index.js", 1, { isEntry: true }), css, page(html)), BUDGET).at(-1)?.kb;
  expect(kbOf('<link rel="stylesheet" crossorigin href="/assets/a.css">')).toBeGreaterThan(10);
  expect(kbOf(`<style>${noise(20)}</style>`)).toBeGreaterThan(10);
  expect(kbOf("<html></html>")).toBeLessThan(1);
});

it("fails the build if a limit is exceeded, and without an entry or a page", () => {
  const { writeBundle } = weightBudget({ entryJs: 5, page: 5 });
  if (typeof writeBundle !== "function") throw new Error("the plugin writes no bundle");
  const plugin = {
    error: (message: string) => {
      throw new Error(message);
    },
    info: () => undefined,
  };
  const build = (...files: { fileName: string }[]) =>
    writeBundle.call(plugin as never, undefined as never, bundleOf(...files));
  const entry = chunk("index.js", 1, { isEntry: true });
  expect(() => build(entry, page())).not.toThrow();
  expect(() => build(chunk("index.js", 20, { isEntry: true }), page())).toThrow("index.js (entry)");
  expect(() => build(entry, page(noise(20)))).toThrow("index.html (with its styles)");
  expect(() => build(chunk("Page.js", 1), page())).toThrow("no entry");
  expect(() => build(entry)).toThrow("no page");
});
