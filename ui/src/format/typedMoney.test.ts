import { expect, it } from "vitest";
import { shownCents, type Typed, typedMoney } from "./typedMoney";

/** Types `keys` one after the other at the end of the field; "<" is the backspace. */
function type(keys: string): Typed {
  let typed: Typed = { cents: undefined, numeric: true };
  for (const key of keys) {
    const shown = shownCents(typed.cents);
    typed = typedMoney(key === "<" ? shown.slice(0, -1) : shown + key, typed.cents);
  }
  return typed;
}

it.each([
  ["1", 1],
  ["123", 123],
  ["123456", 123_456],
  ["123<", 12],
  ["0", 0],
  ["05", 5],
  ["10,50", 1050],
  ["1.234,56", 123_456],
])("typing %s is %i cents", (keys, cents) => expect(type(keys)).toEqual({ cents, numeric: true }));

it.each(["", "1<", "12<<", "0<"])("typing '%s' leaves the field empty", (keys) => {
  expect(type(keys)).toEqual({ cents: undefined, numeric: true });
});

it("refuses a letter, and keeps the amount before it", () => {
  expect(type("x")).toEqual({ cents: undefined, numeric: false });
  expect(type("1a")).toEqual({ cents: 1, numeric: false });
  expect(type("1a2")).toEqual({ cents: 12, numeric: true });
  expect(type("-")).toEqual({ cents: undefined, numeric: false });
});

it("ignores digits beyond the largest exact amount", () => {
  expect(type("9".repeat(40)).cents).toBe(999_999_999_999_999);
});

it.each([
  ["1000", 1_000_00],
  ["50", 50_00],
  ["0,5", 50],
  ["R$ 1.234,56", 1_234_56],
])("a pasted %s is read as written", (text, cents) => {
  expect(typedMoney(text, undefined, true)).toEqual({ cents, numeric: true });
  expect(typedMoney(text, 1_234_56, true)).toEqual({ cents, numeric: true });
  expect(typedMoney(shownCents(1) + text, 1, true)).toEqual({ cents, numeric: true });
});

it("refuses a pasted text that is not an amount", () => {
  expect(typedMoney("dez", 100, true)).toEqual({ cents: 100, numeric: false });
});

it.each([
  ["R$ 10", 10_00],
  ["R$10,5", 10_50],
  ["R$ 1.234,56", 1_234_56],
  ["1.234", 1_234_00],
  ["10,00", 10_00],
  ["10.50", 10_50],
  ["1,234.56", 1_234_56],
  ["$ 7", 7_00],
])("a field set to %s is read as written", (text, cents) => {
  expect(typedMoney(text, undefined)).toEqual({ cents, numeric: true });
  // It replaces the previous amount.
  expect(typedMoney(text, 999_999_99)).toEqual({ cents, numeric: true });
});

it.each(["dez reais", "R$ 10 mil", "1.2.3", "-5,00", "10,005", "12/11/2026"])("refuses '%s'", (text) => {
  expect(typedMoney(text, undefined)).toEqual({ cents: undefined, numeric: false });
});

it("keeps the other digits if one is deleted in the middle", () => {
  expect(typedMoney(shownCents(1_234_56).replace("3", ""), 1_234_56).cents).toBe(124_56);
});

it.each([
  ["R$ 1.234,56", 1234_56],
  ["BRL 10,00", 10_00],
  ["10,00 R$", 10_00],
  ["1\u00a0234,56", 1234_56],
  ["1\u202f234\u202f567,8", 1234567_80],
  ["１.２３４,５６", 1234_56],
  ["  99.90\n", 99_90],
])("the pasted %s is %i cents", (text, cents) =>
  expect(typedMoney(text, undefined, true)).toEqual({ cents, numeric: true }),
);
