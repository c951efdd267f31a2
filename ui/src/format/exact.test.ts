import { expect, it } from "vitest";
import { exactMoney, roundingOf } from "./exact";

it.each([
  ["900.00", "R$\u00a09,00"],
  ["900", "R$\u00a09,00"],
  ["140.65", "R$\u00a01,4065"],
  ["3938.2464", "R$\u00a039,382464"],
  ["0.5", "R$\u00a00,005"],
  ["123456789.1", "R$\u00a01.234.567,891"],
  ["-0.35", "-R$\u00a00,0035"],
  ["900719925474099312", "R$\u00a09.007.199.254.740.993,12"],
])("%s cents read %s", (cents, text) => expect(exactMoney(cents)).toBe(text));

it.each(["", "1,5", "1.", ".5", "1e3", "NaN"])("%j is not an amount", (text) => {
  expect(() => exactMoney(text)).toThrow(RangeError);
});

it.each([
  ["900.00", 900, { kind: "exact" }],
  ["140.65", 141, { kind: "rounded", difference: "0.35" }],
  ["1493.975", 1494, { kind: "rounded", difference: "0.025" }],
  ["3938.2464", 3938, { kind: "rounded", difference: "-0.2464" }],
  ["0.5", 1, { kind: "rounded", difference: "0.5" }],
  ["0.49", 0, { kind: "rounded", difference: "-0.49" }],
  ["500", 120, { kind: "capped" }],
  ["1.49", 1, { kind: "rounded", difference: "-0.49" }],
  ["1.5", 1, { kind: "capped" }],
  ["1.51", 1, { kind: "capped" }],
] as const)("%s charged as %d was rounded by %o", (unrounded, charged, rounding) => {
  expect(roundingOf(unrounded, charged)).toEqual(rounding);
});
