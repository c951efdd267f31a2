import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import names from "../../../fixtures/bank_names.json";
import { type Bank, findBanks } from "./banks";

const LIST = join(import.meta.dirname, "../../../fixtures/banks.json");
const banks = JSON.parse(readFileSync(LIST, "utf8")) as Bank[];

it.each([
  ["itau", "341"],
  ["Itaú", "341"],
  ["ITA", "341"],
  ["nubank", "260"],
  ["Nu", "260"],
  ["caixa", "104"],
  ["cef", "104"],
  ["bb", "001"],
  ["inter", "077"],
  ["santander", "033"],
  ["bradesco", "237"],
  ["banrisul", "041"],
  ["sicoob", "756"],
  ["pagbank", "290"],
  ["mercado pago", "323"],
  ["c6", "336"],
  ["infinitepay", "542"],
  ["341", "341"],
  ["economica federal", "104"],
])("%s finds %s first", (typed, code) => expect(findBanks(banks, typed)[0]?.code).toBe(code));

it("finds none for another text, and all for an empty one", () => {
  expect(findBanks(banks, "xyzzy")).toEqual([]);
  expect(findBanks(banks, "--")).toEqual([]);
  expect(findBanks(banks, " ")).toHaveLength(banks.length);
});

it("names banks of the list only", () => {
  const codes = new Set(banks.map(({ code }) => code));
  expect(Object.keys(names).filter((code) => !codes.has(code))).toEqual([]);
});
