// Shared code imports neither features nor the app, and features do not import the app. Few features import another
// one.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { expect, it } from "vitest";

const SRC = import.meta.dirname;
const SHARED = ["api", "components", "format", "proofs", "strings"];
/** The access tables. */
const TABLES = "../../fixtures/access/";
/** Facts that the gateway reads too. */
const FACTS = "../../fixtures/";

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));

/** The features that show another one's lists or panels on their pages. */
const USES: Readonly<Record<string, readonly string[]>> = {
  balance: ["debts", "holds", "withdrawals"],
  companies: ["reserves"],
  holds: ["reserves"],
  links: ["buyers"],
  plans: ["reserves"],
  reports: ["withdrawals"],
  sales: ["buyers"],
};

function imports(file: string): string[] {
  const text = readFileSync(join(SRC, file), "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g);
  return [...found].map(([, path]) => relative(SRC, join(SRC, dirname(file), path ?? "")));
}

/** Why `from` must not import `to`; undefined if it may. */
function rejection(from: string, to: string): string | undefined {
  const [layer = "", area] = from.split("/");
  const [target = "", targetArea] = to.split("/");
  if (to.startsWith(TABLES))
    return from === "api/tables.ts" ? undefined : "the access tables have one reader";
  if (to.startsWith(FACTS))
    return layer === "format" || from.endsWith(".test.ts")
      ? undefined
      : "facts of fixtures are read by the formats";
  if (SHARED.includes(layer) && !SHARED.includes(target)) return "shared code knows no feature and no app";
  if (layer === "features" && target === "app") return "a feature does not know the app";
  const own = area === targetArea || USES[area ?? ""]?.includes(targetArea ?? "");
  if (layer === "features" && target === "features" && !own) return "features do not know each other";
  return undefined;
}

it("no screen takes the time from the browser's clock, which may be wrong by days", () => {
  const code = files.filter((file) => !file.endsWith(".test.ts") && !file.startsWith("api/"));
  const own = code.filter((file) => /new Date\(\)|Date\.now\(\)/.test(readFileSync(join(SRC, file), "utf8")));
  expect(own).toEqual([]);
});

it("finds the imports that it checks", () => {
  expect(imports("app/Guard.tsx")).toContain("app/routes");
  expect(imports("app/routes.ts")).toContain("features/sales/SalesPage");
  expect(imports("features/sales/SalesScreen.tsx")).toContain("components/table/DataTable");
});

it("rejects imports against the direction of dependencies", () => {
  expect(rejection("components/Panel.tsx", "features/sales/filters")).toBeDefined();
  expect(rejection("api/hooks.ts", "app/routes")).toBeDefined();
  expect(rejection("features/sales/SalesPage.tsx", `${FACTS}phones.json`)).toBeDefined();
  expect(rejection("features/sales/SalesPage.tsx", `${TABLES}screens.tsv?raw`)).toBeDefined();
  expect(imports("api/tables.ts").filter((to) => to.startsWith(TABLES))).toHaveLength(2);
  expect(rejection("features/sales/SalesPage.tsx", "app/Shell")).toBeDefined();
  expect(rejection("features/sales/SalesPage.tsx", "features/overview/shares")).toBeDefined();
  expect(rejection("features/sales/SalesPage.tsx", "features/sales/filters")).toBeUndefined();
  expect(rejection("features/balance/FinancePage.tsx", "features/withdrawals/filters")).toBeUndefined();
  expect(rejection("features/withdrawals/filters.ts", "features/balance/filters")).toBeDefined();
});

it.each(files)("%s imports only in the direction of dependencies", (file) => {
  const rejected = imports(file).filter((to) => rejection(file, to));
  expect(rejected).toEqual([]);
});

const screens = files.filter((file) => !file.startsWith("api/") && !file.endsWith(".test.ts"));

it.each(screens)("%s reaches the network only by the hooks", (file) => {
  const text = readFileSync(join(SRC, file), "utf8");
  expect(text).not.toMatch(/\bfetch\(|from "swr|api\/client"|from "openapi-fetch"/);
});
