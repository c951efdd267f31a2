// The checks of the fields that a buyer types, and the buyer as it is sent.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { phoneFaults } from "../src/strings/pt-BR.phone";
import { amountError, boundsText } from "./amount";
import { ADDRESS_LENGTHS, type BuyerFields, buyerErrors, buyerOf, NO_BUYER } from "./buyer";
import {
  brandOf,
  cardErrors,
  chosenInstallments,
  expiryDigits,
  NO_CARD,
  showExpiry,
  withBrand,
} from "./card";
import type { Prices } from "./contract";
import { words } from "./words";

const BUYER: BuyerFields = {
  ...NO_BUYER,
  name: " Marina  Souza ",
  document: "52998224725",
  email: "marina@exemplo.com.br ",
  phone: "11987654321",
};

const choice = (count: number, total: number) => ({
  count,
  total,
  first: total / count,
  each: total / count,
});
const PRICES: Prices = {
  pix: 100_00,
  boleto: null,
  credit: [
    { brands: ["visa"], installments: [choice(1, 100_00), choice(2, 100_00), choice(4, 100_00)] },
    { brands: ["elo"], installments: [choice(1, 102_00), choice(2, 104_00)] },
  ],
};
const CARD = {
  ...NO_CARD,
  number: "4242424242424242",
  expiry: "0829",
  securityCode: "123",
  holder: "M SOUZA",
};
const TODAY = "2026-11-21";

it("takes an address as long as the gateway accepts", () => {
  const { components } = JSON.parse(readFileSync(new URL("../openapi.json", import.meta.url), "utf8"));
  const fields: Record<string, { maxLength?: number }> = components.schemas.BuyerAddressForm.properties;
  const lengths = Object.entries(fields).flatMap(([field, { maxLength }]) =>
    maxLength === undefined ? [] : [[field, maxLength]],
  );
  expect(ADDRESS_LENGTHS).toEqual(Object.fromEntries(lengths));
});

it("accepts a buyer, and sends trimmed texts", () => {
  expect(buyerErrors(BUYER, false)).toEqual({});
  expect(buyerOf(BUYER, false)).toMatchObject({
    name: "Marina Souza",
    email: "marina@exemplo.com.br",
    address: null,
  });
});

it("names each error by its field", () => {
  const ofAddress = ["postal_code", "street", "number", "district", "city", "state"];
  expect(Object.keys(buyerErrors(NO_BUYER, true))).toEqual([
    ...["name", "document", "email", "phone"].map((field) => `buyer.${field}`),
    ...ofAddress.map((field) => `buyer.address.${field}`),
  ]);
  const errorsOf = (fields: Partial<BuyerFields>) =>
    Object.values(buyerErrors({ ...BUYER, ...fields }, false));
  expect(errorsOf({ document: "52998224724" })).toEqual([words.buyer.cpfInvalid]);
  expect(errorsOf({ document: "12ABC34501DE36" })).toEqual([words.buyer.cnpjInvalid]);
  expect(errorsOf({ document: "12ABC34501DE35" })).toEqual([]);
  expect(errorsOf({ name: "Marina" })).toEqual([words.buyer.nameIncomplete]);
  expect(errorsOf({ email: "marina@exemplo" })).toEqual([words.buyer.emailInvalid]);
  expect(errorsOf({ phone: "+14155552671" })).toEqual([phoneFaults.foreign]);
  expect(errorsOf({ phone: "08001234567" })).toEqual([phoneFaults.nonGeographic]);
  expect(errorsOf({ phone: "55119876543" })).toEqual([phoneFaults.number]);
});

it("checks a card by its brand and by the brands that the link takes", () => {
  expect(cardErrors(CARD, PRICES, TODAY)).toEqual({});
  const errorsOf = (fields: object) => Object.values(cardErrors({ ...CARD, ...fields }, PRICES, TODAY));
  expect(errorsOf({ number: "4242424242424241" })).toEqual([words.card.numberErrors.wrong]);
  expect(errorsOf({ number: "378282246310005" })).toEqual([
    words.card.brandNotTaken("American Express"),
    words.card.codeInvalid(4),
  ]);
  expect(errorsOf({ expiry: "1026" })).toEqual([words.card.expired]);
  expect(errorsOf({ expiry: "1326" })).toEqual([words.card.expiryInvalid]);
});

it("reads an expiry as it is typed, pasted or filled in", () => {
  const shown = (text: string) => showExpiry(expiryDigits(text));
  expect(
    ["8", "8/29", "1/29", "0829", "08/2029", "12", "2029-08", "０８/２９", "08 - 29"].map(shown),
  ).toEqual(["08", "08/29", "01/29", "08/29", "08/29", "12", "08/29", "08/29", "08/29"]);
});

it("offers the installments of the brand, and keeps the choice if the brand has it", () => {
  expect(chosenInstallments(PRICES, { ...CARD, installments: 4 })?.count).toBe(4);
  expect(chosenInstallments(PRICES, { ...CARD, number: "506699", installments: 4 })?.total).toBe(102_00);
  expect(chosenInstallments(PRICES, NO_CARD)).toBeUndefined();
});

it("checks an amount against the link's bounds", () => {
  const bounds = { amount_min: 10_00, amount_max: 50_00 };
  expect(amountError(20_00, bounds)).toBeUndefined();
  expect(amountError(9_99, bounds)).toBe(words.amount.outside("R$\u00a010,00", "R$\u00a050,00"));
  expect(amountError(undefined, bounds)).toBe(words.amount.required);
  expect(amountError(60_00, { amount_min: null, amount_max: 50_00 })).toBe(
    words.amount.tooHigh("R$\u00a050,00"),
  );
  expect(boundsText({ amount_min: 10_00, amount_max: null })).toBe("A partir de R$\u00a010,00.");
});

it("prices a card by the brand that its acquirer tells, until the number changes", () => {
  const told = withBrand({ ...NO_CARD, number: "4242424242424242" }, "elo");
  expect(brandOf(told)).toBe("elo");
  expect(brandOf({ ...told, number: "4242424242424" })).toBe("visa");
  expect(brandOf(withBrand(told, "no-such-brand"))).toBe("elo");
});
