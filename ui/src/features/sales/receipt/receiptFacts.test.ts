import { expect, test } from "vitest";
import { noReceiptReason, type ReceiptSale, receiptFacts } from "./receiptFacts";

const sale: ReceiptSale = {
  id: "sal_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b02",
  status: "succeeded",
  amount: 30_000,
  payment_type: "credit",
  payment_method: { card_brand: "visa", card_last_four: "4242", installments: 3 },
  // After midnight in UTC, and the evening before in Brasília.
  captured_at: "2026-11-22T01:05:00Z",
  authorization_code: "A1B2C3",
};

test("a receipt states amount, payment, card, authorization, the time in Brasília, status and id", () => {
  expect(receiptFacts(sale)).toEqual([
    ["Valor", "R$\u00a0300,00"],
    ["Forma de pagamento", "Crédito"],
    ["Parcelamento", "Parcelado 3x"],
    ["Bandeira", "Visa"],
    ["Cartão", "final 4242"],
    ["Código de autorização", "A1B2C3"],
    ["Data", "21/11/2026 22:05 (horário de Brasília)"],
    ["Status", "Aprovado"],
    ["Identificador", sale.id],
  ]);
});

test("a receipt of PIX has no card and no installments", () => {
  const payment_method = { card_brand: null, card_last_four: null, installments: 1 };
  const pix: ReceiptSale = { ...sale, payment_type: "pix", payment_method, authorization_code: null };
  const labels = receiptFacts(pix).map(([label]) => label);
  expect(labels).toEqual(["Valor", "Forma de pagamento", "Data", "Status", "Identificador"]);
});

test("only a sale that was captured has a receipt", () => {
  expect(noReceiptReason(sale)).toBeUndefined();
  expect(noReceiptReason({ captured_at: null })).toBe("Só uma venda aprovada tem comprovante.");
});
