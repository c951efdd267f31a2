import { expect, test } from "vitest";
import type { PaymentNames } from "../../api/models";
import { nameFacts, nameTexts } from "./paymentNames";

const none: PaymentNames = {
  end_to_end_id: null,
  txid: null,
  nsu: null,
  tid: null,
  acquirer_id: null,
  our_number: null,
  three_d_secure: null,
};

test("a payment shows the names that its acquirer reported, and no others", () => {
  expect(nameFacts(none)).toEqual([]);
  expect(nameTexts(null)).toEqual([]);
  expect(nameTexts({ ...none, end_to_end_id: "E1", txid: "T1" })).toEqual([
    "ID do PIX (E2E): E1",
    "TXID: T1",
  ]);
});

test("a card's authentication says who bears fraud", () => {
  const three_d_secure = { version: "2.2.0", eci: "05", liability: "issuer" } as const;
  expect(nameFacts({ ...none, nsu: "42", three_d_secure })).toEqual([
    ["NSU", "42"],
    ["3-D Secure", "2.2.0"],
    ["ECI", "05"],
    ["Responsável por fraude", "Emissor do cartão"],
  ]);
});
