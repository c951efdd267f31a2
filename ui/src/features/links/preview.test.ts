import { expect, it } from "vitest";
import type { SimulationRow } from "../../api/models";
import { offeredRows } from "./preview";

/** A row with the plan's price for these installments; without them, the plan has no price. The fees are R$ 5,00. */
function row(payment_type: string, installments: number, installment_amounts?: number[]): SimulationRow {
  const charged = installment_amounts?.reduce((sum, amount) => sum + amount, 0) ?? 0;
  const price = installment_amounts ? { charged, net: charged - 500, installment_amounts } : null;
  return { payment_type, installments, price, reason: null } as SimulationRow;
}

it("has the payment types and installments of the link that the plan prices", () => {
  const rows = [
    row("debit", 1, [10_000]),
    row("credit", 1, [10_000]),
    row("credit", 2, [5_001, 5_000]),
    row("credit", 3),
    row("pix", 1, [10_000]),
  ];
  expect(offeredRows(rows, ["credit", "pix"], 3)).toEqual([
    { type: "credit", installments: 1, charged: 10_000, net: 9_500, each: 10_000 },
    { type: "credit", installments: 2, charged: 10_001, net: 9_501, each: 5_000 },
    { type: "pix", installments: 1, charged: 10_000, net: 9_500, each: 10_000 },
  ]);
  expect(offeredRows(rows, ["credit"], 1).map(({ installments }) => installments)).toEqual([1]);
  expect(offeredRows(rows, ["boleto"], 1)).toEqual([]);
});
