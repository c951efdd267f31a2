import { expect, it } from "vitest";
import { rateOf, rateText } from "./rate";

it.each([
  ["3,49", "3.49"],
  ["3.4999", "3.4999"],
  ["0", "0"],
  ["3,49 %", "3.49"],
  ["\u00a0３,４９％", "3.49"],
  ["99", "99"],
  ["99,0001", undefined],
  ["100", undefined],
  ["1,23456", undefined],
  ["-1", undefined],
  ["", undefined],
])("%s is read as %s", (text, rate) => expect(rateOf(text)).toBe(rate));

it("keeps every decimal of a rate", () => {
  expect(rateText("3.00")).toBe("3,00%");
  expect(rateText("0.125")).toBe("0,125%");
});
