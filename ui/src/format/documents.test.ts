import { expect, it } from "vitest";
import { postalCode, taxId } from "./documents";

it.each([
  ["02681177561", "026.811.775-61"],
  ["026.811.775-61", "026.811.775-61"],
  ["04530174000117", "04.530.174/0001-17"],
  ["284FNNO29SNN52", "28.4FN.NO2/9SNN-52"],
  ["284fnno29snn52", "28.4FN.NO2/9SNN-52"],
  ["1234", "1234"],
  ["", ""],
  ["ABCDEFGHIJK", "ABCDEFGHIJK"],
])("shows the document %s as %s", (bare, shown) => {
  expect(taxId(bare)).toBe(shown);
});

it.each([
  ["01310100", "01310-100"],
  ["01310-100", "01310-100"],
  ["0131", "0131"],
])("shows the postal code %s as %s", (bare, shown) => {
  expect(postalCode(bare)).toBe(shown);
});
