// The pages match the access table, and the panels refer only to its screens and calls.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { callAccess, parseCalls, parseScreens } from "../api/accessTable";
import { calls, screens } from "../api/tables";
import { joinPages, routes } from "./routes";

it("serves more than three entries of the navigation in each panel, and a seller's account", () => {
  for (const panel of ["seller", "admin"] as const)
    expect(routes[panel].filter(({ icon }) => icon).length).toBeGreaterThan(3);
  expect(routes.seller.map(({ screen }) => screen.route)).toContain("/minha-conta");
});

it("refuses a page without a row in the table", () => {
  const page = { page: () => null };
  expect(() => joinPages("seller", { "/saques": page })).toThrow("/saques");
  expect(() => joinPages("admin", { "/saques": page })).not.toThrow();
});

it("refuses a table with other columns, an unknown panel or a short row", () => {
  expect(() => parseScreens("panel\troute\nseller\t/")).toThrow("columns");
  expect(() => parseScreens("panel\troles\troute\ttitle\nguest\t*\t/\tX")).toThrow("guest");
  expect(() => parseCalls("audience\troles\tmethod\tpath\nseller\t*\tGET")).toThrow("3 columns");
});

const SRC = join(import.meta.dirname, "..");
const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"))
  .map((file) => readFileSync(join(SRC, file), "utf8"));

function matchesOf(pattern: RegExp): string[] {
  return sources.flatMap((text) => [...text.matchAll(pattern)].map(([, found = ""]) => found));
}

it("refers only to screens of the table", () => {
  const wanted = matchesOf(/\b(?:useMayOpen|mayOpen)\("([^"]+)"\)/g);
  expect(wanted).not.toEqual([]);
  for (const route of wanted) expect(screens.map((screen) => screen.route)).toContain(route);
});

it("calls and checks only calls of the table", () => {
  const wanted = matchesOf(/"((?:GET|POST|PUT|PATCH|DELETE) \/[^"]+)"/g);
  expect(wanted).not.toEqual([]);
  for (const call of wanted) expect(() => callAccess(calls, call)).not.toThrow();
});

/** "/vendas/${sale.id}${search}" → "/vendas/:id"; "/ajustes/planos?tab=mudancas" → "/ajustes/planos" */
const routeOf = (written: string) =>
  written
    .replace(/\?.*/, "")
    .replace(/\$\{[^}]+\}/g, ":id")
    .replace(/(:id)+/g, ":id")
    .replace(/([^/]):id/g, "$1");

it("links only to screens that have a page", () => {
  const served: string[] = [...routes.seller, ...routes.admin].map(({ screen }) => screen.route);
  const written = matchesOf(/(?:\bto=|\bto: |\bnavigate\(|\bhref=)\{?["`](\/[^"`]*)["`]/g);
  expect(written.length).toBeGreaterThan(10);
  for (const link of written) expect(served, link).toContain(routeOf(link));
});
