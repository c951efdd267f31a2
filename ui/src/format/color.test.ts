import { expect, it } from "vitest";
import { contrast, isColor, luminance, mix, readableOn, textColorOn } from "./color";

it("computes the contrast of WCAG", () => {
  expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
  expect(contrast("#36be54", "#ffffff")).toBeCloseTo(2.44, 1);
  expect(contrast("#777777", "#ffffff")).toBeCloseTo(4.48, 2);
  expect(luminance("#ff0000")).toBeCloseTo(0.2126, 4);
});

it("mixes channel by channel", () => {
  expect(mix("#000000", "#ffffff", 0.5)).toBe("#808080");
  expect(mix("#36be54", "#ffffff", 0)).toBe("#36be54");
});

it.each(["#36BE54", "#000000"])("takes %s for a color", (text) => expect(isColor(text)).toBe(true));
it.each(["36be54", "#36be5", "#36be5g", "red", ""])("does not take %s", (text) =>
  expect(isColor(text)).toBe(false),
);

// Every fifth gray, and the same steps of red, green and blue alone, the other two channels at 0x40.
const backgrounds = [0, 1, 2, 3].flatMap((hue) =>
  Array.from({ length: 52 }, (_, i) => {
    const part = (i * 5).toString(16).padStart(2, "0");
    return `#${["0", "1", "2"].map((place) => (hue === 3 || String(hue) === place ? part : "40")).join("")}`;
  }),
);

it("finds a readable text color for every background", () => {
  for (const background of backgrounds)
    expect(contrast(textColorOn(background), background)).toBeGreaterThanOrEqual(4.5);
  expect(textColorOn("#36be54")).toBe("#0c1a12");
  expect(textColorOn("#1a237e")).toBe("#ffffff");
});

it("changes a color until it is readable, and keeps a readable one", () => {
  for (const color of backgrounds) {
    expect(contrast(readableOn(["#ffffff", "#f3f6f4"], color, 4.5), "#f3f6f4")).toBeGreaterThanOrEqual(4.5);
    expect(contrast(readableOn(["#151c18"], color, 3), "#151c18")).toBeGreaterThanOrEqual(3);
  }
  expect(readableOn(["#ffffff"], "#1a237e", 4.5)).toBe("#1a237e");
});
