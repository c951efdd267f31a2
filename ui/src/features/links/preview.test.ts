import { expect, it } from "vitest";
import type { SimulationRow } from "../../api/models";
import { offeredRows } from "./preview";

const row = (payment_type: string, installments: number, charged?: number) =>
  ({
    payment_type,
    installments,
    price: charged && {
      charged,
      net: charged - 500,
      installment_amounts: Array.from({ length: installments }, (_, index) => (index === 0 ? 34 : 33)),
    },
    reason: null,
  }) as unknown as SimulationRow;

it("has the payment types and installments of the link that the plan prices", () => {
  const rows = [
    row("debit", 1, 1),
    row("credit", 1, 100),
    row("credit", 2, 100),
    row("credit", 3),
    row("pix", 1, 100),
  ];
  expect(offeredRows(rows, ["credit", "pix"], 3)).toEqual([
    { type: "credit", installments: 1, charged: 100, net: -400, each: 34 },
    { type: "credit", installments: 2, charged: 100, net: -400, each: 33 },
    { type: "pix", installments: 1, charged: 100, net: -400, each: 34 },
  ]);
  expect(offeredRows(rows, ["credit"], 1)).toHaveLength(1);
  expect(offeredRows(rows, ["boleto"], 1)).toEqual([]);
});
