import { expect, it } from "vitest";
import type { DestinationDetails } from "../../api/models";
import { destinationChoiceText, destinationDetailsText, destinationText } from "./destination";

const account: DestinationDetails = {
  type: "bank_account",
  bank_code: "341",
  bank_name: "ITAÚ UNIBANCO S.A.",
  account_type: "CHECKING_CONJUNCT",
  routing_number: "0071",
  routing_digit: null,
  account_number: "0012345",
  account_digit: "6",
};

it("names bank, branch and account, with check digits if there are any", () => {
  expect(destinationDetailsText(account)).toBe("ITAÚ UNIBANCO S.A. · ag. 0071 · conta 0012345-6");
  expect(destinationDetailsText({ ...account, routing_digit: "X" })).toContain("ag. 0071-X");
});

it("includes the type of account for a choice", () => {
  expect(destinationChoiceText(account)).toMatch(/^Conta Corrente Conjunta · ITAÚ/);
});

it("formats a document that is a PIX key", () => {
  const pix: DestinationDetails = { type: "pix", key: "11222333000181" };
  expect(destinationChoiceText(pix)).toBe("PIX 11.222.333/0001-81");
});

it.each([
  [0, "Conta bancária"],
  [1, "Chave PIX"],
  [null, "Sem destino"],
] as const)("without details, destination %s reads %s", (destination, text) => {
  expect(destinationText({ destination, destination_details: null })).toBe(text);
});
