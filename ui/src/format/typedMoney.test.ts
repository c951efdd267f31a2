import { expect, it } from "vitest";
import { shownCents, typedCents } from "./typedMoney";

/** Types `keys` one after the other at the end of the field; "<" is the backspace. */
function type(keys: string, max?: number): number | undefined {
  let cents: number | undefined;
  for (const key of keys) {
    const shown = shownCents(cents);
    cents = typedCents(key === "<" ? shown.slice(0, -1) : shown + key, cents, max);
  }
  return cents;
}

it.each([
  ["1", 1],
  ["123", 123],
  ["123456", 123_456],
  ["123<", 12],
  ["0", 0],
  ["05", 5],
  ["1a2", 12],
])("typing %s is %i cents", (keys, cents) => expect(type(keys)).toBe(cents));

it.each(["", "1<", "12<<", "0<", "x"])("typing '%s' leaves the field empty", (keys) => {
  expect(type(keys)).toBeUndefined();
  expect(shownCents(type(keys))).toBe("");
});

it("rejects an amount above the maximum and keeps the one before", () => {
  expect(type("501", 500)).toBe(50);
  expect(type("500", 500)).toBe(500);
  expect(type("9".repeat(40))).toBe(999_999_999_999_999);
});

it("takes a pasted amount", () => {
  expect(typedCents("R$ 1.234,56", undefined)).toBe(123_456);
});
