import { expect, it } from "vitest";
import { loginFrom, safeOrigin } from "./origin";

const SITE = "https://painel.example";
const back = (from: string) => safeOrigin(`?from=${encodeURIComponent(from)}`, SITE);

it("returns to the page that asked for login, filters included", () => {
  const address = loginFrom("/login", "/vendas?status=succeeded&page=2");
  expect(safeOrigin(address.slice(address.indexOf("?")), SITE)).toBe("/vendas?status=succeeded&page=2");
});

it("does not remember the home page", () => {
  expect(loginFrom("/login", "/")).toBe("/login");
  expect(safeOrigin("", SITE)).toBe("/");
});

it.each([
  "https://evil.example/",
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "\\\\evil.example",
  "javascript:alert(1)",
  "vendas",
])("never leaves the site for %s", (from) => {
  expect(back(from)).toBe("/");
});

it("does not loop through login or logout", () => {
  expect(back("/login?from=/vendas")).toBe("/");
  expect(back("/logout")).toBe("/");
  expect(back("/loginho")).toBe("/loginho");
});
