// The repository's documents: each relative link leads to a file and a heading, each path that a document names exists,
// and so does each test that is named after a path (`path::test`). It is here because these tests need no compiler.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const NO_SOURCES = new Set([
  "node_modules",
  "target",
  "dist",
  ".git",
  ".data",
  "test-results",
  "playwright-report",
]);
const FOLDERS = ["docs", "fixtures", "gateway", "ledger", "migrations", "projections", "ui"];

function documentsIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return NO_SOURCES.has(entry.name) ? [] : documentsIn(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

/** The anchors of a page's headings, as GitHub makes them. */
function anchors(path: string): string[] {
  const headings = withoutCode(read(path)).matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(path: string): string[] {
  const links = withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].flatMap(([, link = ""]) => {
    if (/^[a-z]+:/.test(link)) return [];
    const [file = "", anchor] = link.split("#");
    const target = file === "" ? path : join(dirname(path), file);
    if (!existsSync(join(ROOT, target))) return [`${path}: ${link}`];
    return anchor === undefined || anchors(target).includes(anchor) ? [] : [`${path}: ${link}`];
  });
}

/**
 * Paths in backquotes that begin with a folder of the repository, or with one beside the document. What a build makes
 * (`ui/dist`) is not in a fresh clone.
 */
function missingPaths(path: string): string[] {
  const quoted = withoutCode(read(path)).matchAll(/`([\w./-]+)(?:::(\w+))?`/g);
  return [...quoted].flatMap(([, named = "", test]) => {
    const [folder = ""] = named.split("/");
    const beside = ["src", "tests", "examples"].includes(folder);
    if (!named.includes("/") || !(beside || FOLDERS.includes(folder))) return [];
    if (named.split("/").some((part) => NO_SOURCES.has(part))) return [];
    const file = beside ? join(dirname(path), named) : named;
    if (!existsSync(join(ROOT, file))) return [`${path}: ${named}`];
    return test === undefined || read(file).includes(`fn ${test}(`) ? [] : [`${path}: ${named}::${test}`];
  });
}

const documents = ["", ...FOLDERS].flatMap((folder) =>
  folder === "" ? readdirSync(ROOT).filter((name) => name.endsWith(".md")) : documentsIn(folder),
);

it("the links between documents lead to files and headings", () => {
  expect(documents.length).toBeGreaterThan(60);
  expect(documents.flatMap(brokenLinks)).toEqual([]);
});

it("the paths and tests that documents name exist", () => {
  expect(documents.flatMap(missingPaths)).toEqual([]);
});
