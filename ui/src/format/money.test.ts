import { describe, expect, it } from "vitest";
import { money, moneyOnAxis, percent, variation } from "./money";

describe("money", () => {
  it.each([
    [0, "R$ 0,00"],
    [1, "R$ 0,01"],
    [10, "R$ 0,10"],
    [100, "R$ 1,00"],
    [123456, "R$ 1.234,56"],
    [-5, "-R$ 0,05"],
    [-100000, "-R$ 1.000,00"],
    [9007199254740991, "R$ 90.071.992.547.409,91"],
  ])("shows %i cents as %s", (cents, text) => {
    expect(money(cents).replace("\u00a0", " ")).toBe(text);
  });

  it("shows every digit of an amount", () => {
    for (let cents = 0; cents < 100_000; cents += 7) {
      expect(Number(money(cents).replace(/\D/g, ""))).toBe(cents);
    }
  });

  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])("refuses %d", (cents) => {
    expect(() => money(cents)).toThrow(RangeError);
  });

  it("shortens axis labels", () => {
    expect(moneyOnAxis(1_500_000).replaceAll("\u00a0", " ")).toBe("R$ 15 mil");
  });
});

describe("variation", () => {
  it("is a ratio of the previous figure", () => {
    expect(variation(150, 100)).toBe(0.5);
    expect(variation(0, 100)).toBe(-1);
  });

  it("is absent where the previous figure is zero", () => {
    expect(variation(150, 0)).toBeNull();
  });

  it("reads as a percentage with a comma", () => {
    expect(percent(0.1235)).toBe("12,4%");
  });
});
