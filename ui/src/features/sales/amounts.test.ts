import { expect, it } from "vitest";
import type { SaleStatus } from "../../api/models";
import { amountsOf } from "./amounts";

const sale = (status: SaleStatus) => ({
  status,
  refunded: 0,
  refunded_net: 0,
  charged_back: 0,
  disputed: status === "dispute" ? 300_00 : 0,
  amount: 300_00,
  net_amount: 285_00,
  fees_total: 15_00,
  fee_lines: [
    { part: "plan_percentage_fee" as const, rule: "mdr" as const, charged: 9_00 },
    { part: "plan_percentage_fee" as const, rule: "advance" as const, charged: 6_00 },
  ],
  plan_percentage_fee: 15_00,
  plan_flat_fee: 0,
  plan_percentage_rate: 0,
  plan_flat_rate: 0,
});

it("shows MDR and advance in separate lines, and no fee of zero", () => {
  expect(amountsOf(sale("succeeded"))?.fees).toEqual([
    { label: "Taxa MDR", cents: -9_00 },
    { label: "Antecipação", cents: -6_00 },
  ]);
  expect(amountsOf({ ...sale("succeeded"), fee_lines: null })?.fees).toEqual([
    { label: "Taxa percentual da forma de pagamento", cents: -15_00 },
  ]);
});

it("shows the remainder of a reversed sale", () => {
  for (const status of ["canceled", "refunded", "reversed"] as const) {
    const { after, result } = amountsOf(sale(status)) ?? {};
    expect(after).toEqual([
      { label: "Devolvido ao comprador", cents: -300_00 },
      { label: "Taxas devolvidas", cents: 15_00 },
    ]);
    expect(result).toBe(0);
  }
  // The platform keeps its fees after a chargeback.
  expect(amountsOf(sale("charged_back"))?.result).toBe(-15_00);
});

it("shows no result during a dispute or while the seller keeps the money", () => {
  expect(amountsOf(sale("dispute"))).toMatchObject({
    after: [{ label: "Bloqueado até o resultado da contestação", cents: -300_00 }],
    result: null,
  });
  expect(amountsOf(sale("succeeded"))).toMatchObject({ after: [], result: null, net: 285_00 });
});

it("shows what parts took, and what is left", () => {
  const parts = { refunded: 100_00, refunded_net: 95_00 };
  expect(amountsOf({ ...sale("succeeded"), ...parts, charged_back: 50_00 })).toMatchObject({
    after: [
      { label: "Devolvido ao comprador", cents: -150_00 },
      { label: "Taxas devolvidas", cents: 5_00 },
    ],
    result: 140_00,
  });
  expect(amountsOf({ ...sale("dispute"), ...parts, disputed: 200_00 })?.after).toEqual([
    { label: "Devolvido ao comprador", cents: -100_00 },
    { label: "Taxas devolvidas", cents: 5_00 },
    { label: "Bloqueado até o resultado da contestação", cents: -200_00 },
  ]);
  // The platform gave back its share of the part, and keeps that of the chargeback.
  expect(amountsOf({ ...sale("charged_back"), ...parts })?.result).toBe(-10_00);
});

it("has no amounts for a sale that was never captured", () => {
  expect(amountsOf({ ...sale("canceled"), net_amount: null })).toBeUndefined();
});
