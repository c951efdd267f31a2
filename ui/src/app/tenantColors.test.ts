import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contrast } from "../format/color";
import { OWN_BRAND, OWN_HIGHLIGHT, tenantColorsOf } from "../format/tenantColors";
import { theme } from "./theme";

it("keeps the platform's own colors unchanged", () => {
  expect(tenantColorsOf("#36BE54", "#29FF00")).toBeUndefined();
  expect(tenantColorsOf("", "not a color")).toBeUndefined();
  expect(theme.colors?.brand?.[5]).toBe(OWN_BRAND);
});

const COLORS = [
  "#1a237e",
  "#ff6f00",
  "#ffeb3b",
  "#767676",
  "#7b7b7b",
  "#000000",
  "#ffffff",
  "#e91e63",
  "#00695c",
];

it.each(COLORS)("texts in a tenant's colors are readable with %s", (brand) => {
  const tenantColors = tenantColorsOf(brand, "#29ff00");
  if (!tenantColors) throw new Error("the tenant has the default colors");
  const { scale, text, light, dark } = tenantColors;
  expect(scale[5]).toBe(brand);
  expect(contrast(text, scale[5])).toBeGreaterThanOrEqual(4.5);
  expect(contrast(text, scale[6])).toBeGreaterThanOrEqual(4.5);
  // --surface and --page-background of global.css.
  for (const [variables, backgrounds] of [
    [light, ["#ffffff", "#f3f6f4"]],
    [dark, ["#151c18", "#0c110e"]],
  ] as const) {
    const color = (name: string) => variables[name] ?? "";
    expect(contrast(color("--brand-text"), color("--brand-soft"))).toBeGreaterThanOrEqual(4.5);
    for (const background of backgrounds) {
      expect(contrast(color("--brand-text"), background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color("--mantine-color-anchor"), background)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color("--focus"), background)).toBeGreaterThanOrEqual(3);
      expect(contrast(color("--chart-line"), background)).toBeGreaterThanOrEqual(3);
    }
    for (const name of ["--promo-1", "--promo-2", "--promo-3", "--card-1", "--card-2", "--card-3"]) {
      expect(contrast("#ffffff", color(name)), name).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color("--promo-text"), color(name)), name).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it("overrides the stylesheet's variables under the same names", () => {
  const css = readFileSync(join(import.meta.dirname, "global.css"), "utf8");
  const tenantColors = tenantColorsOf("#1a237e", OWN_HIGHLIGHT);
  const names = Object.keys({ ...tenantColors?.light, ...tenantColors?.dark }).filter(
    (name) => !name.startsWith("--mantine"),
  );
  expect(names).not.toEqual([]);
  for (const name of names) expect(css).toContain(`${name}:`);
});
