// The look of a tenant of any colors: every pair of text and ground is readable.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { contrast } from "../format/color";
import { lookOf, OWN_BRAND, OWN_HIGHLIGHT } from "./look";
import { theme } from "./theme";

it("keeps the platform's own look unchanged", () => {
  expect(lookOf("#36BE54", "#29FF00")).toBeUndefined();
  expect(lookOf("", "not a color")).toBeUndefined();
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

it.each(COLORS)("paints with %s so that it can be read", (brand) => {
  const look = lookOf(brand, "#29ff00");
  if (!look) throw new Error("the tenant has the default look");
  const { scale, ink, light, dark } = look;
  expect(scale[5]).toBe(brand);
  expect(contrast(ink, scale[5])).toBeGreaterThanOrEqual(4.5);
  expect(contrast(ink, scale[6])).toBeGreaterThanOrEqual(4.5);
  for (const [look, grounds] of [
    [light, ["#ffffff", "#f3f6f4"]],
    [dark, ["#151c18", "#0c110e"]],
  ] as const) {
    const color = (name: string) => look[name] ?? "";
    expect(contrast(color("--brand-ink"), color("--brand-soft"))).toBeGreaterThanOrEqual(4.5);
    for (const ground of grounds) {
      expect(contrast(color("--brand-ink"), ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color("--mantine-color-anchor"), ground)).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color("--focus"), ground)).toBeGreaterThanOrEqual(3);
      expect(contrast(color("--chart-line"), ground)).toBeGreaterThanOrEqual(3);
    }
    for (const name of ["--pitch-1", "--pitch-2", "--pitch-3", "--card-1", "--card-2", "--card-3"]) {
      expect(contrast("#ffffff", color(name)), name).toBeGreaterThanOrEqual(4.5);
      expect(contrast(color("--pitch-ink"), color(name)), name).toBeGreaterThanOrEqual(4.5);
    }
  }
});

it("overrides the stylesheet's variables under the same names", () => {
  const css = readFileSync(join(import.meta.dirname, "global.css"), "utf8");
  const look = lookOf("#1a237e", OWN_HIGHLIGHT);
  const names = Object.keys({ ...look?.light, ...look?.dark }).filter(
    (name) => !name.startsWith("--mantine"),
  );
  for (const name of names) expect(css).toContain(`${name}:`);
});
