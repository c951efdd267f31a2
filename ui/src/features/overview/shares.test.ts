import { expect, it } from "vitest";
import { BREAKDOWNS, byBrand, byPaymentType } from "./shares";

it("orders the parts by amount and leaves out those without a sale", () => {
  const shares = byPaymentType({
    by_payment_type: [
      { payment_type: "pix", count: 1, gross: 2500 },
      { payment_type: "boleto", count: 0, gross: 0 },
      { payment_type: "credit", count: 2, gross: 7500 },
    ],
  });
  expect(shares.map(({ name, ratio }) => [name, ratio])).toEqual([
    ["Crédito", 0.75],
    ["PIX", 0.25],
  ]);
});

it("has the ratio zero if the total is zero", () => {
  expect(byBrand({ by_brand: [{ card_brand: "visa", count: 1, gross: 0 }] })[0]?.ratio).toBe(0);
});

it("tells a period without card sales from one without any sale", () => {
  expect(BREAKDOWNS.map(({ value, emptyText }) => [value, emptyText])).toEqual([
    ["type", "Nenhuma venda neste período."],
    ["brand", "Nenhuma venda com cartão neste período."],
  ]);
});
