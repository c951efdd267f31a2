import { expect, test } from "vitest";
import type { TransferCredit } from "../../../api/models";
import { creditName } from "./creditName";
import { bySale, sumOf, sumsOf } from "./days";

const movement = {
  id: 1,
  kind: 0,
  movement: "settlement",
  amount: 9_601,
  balance: 9_601,
  occurred_at: "2026-11-26T03:05:00Z",
  recorded_at: "2026-11-26T03:05:00Z",
  sale_id: "sal_1",
  installment: 1,
  card_brand: "visa",
  transfer_id: null,
  description: "Parcela 1 de venda",
};

const installment = {
  gross: 10_000,
  fees: 399,
  refunded: 0,
  withheld: 0,
  payment_type: "credit" as const,
  installments: 2,
  card_brand: "visa",
  card_last_four: "4242",
  sold_at: "2026-10-26T17:24:00Z",
};

const credit = (sale_id: string | null, amount: number): TransferCredit => ({
  amount,
  movement: { ...movement, sale_id },
  installment: sale_id ? installment : null,
});

test("credits of one sale are one group, and a credit without a sale is its own", () => {
  const groups = bySale([
    credit("sal_1", 100),
    credit(null, 5),
    credit("sal_2", 7),
    credit("sal_1", 200),
    credit(null, 6),
  ]);
  expect(groups.map(({ sale, credits }) => [sale, credits.map(({ amount }) => amount)])).toEqual([
    ["sal_1", [100, 200]],
    [undefined, [5]],
    ["sal_2", [7]],
    [undefined, [6]],
  ]);
});

test("the gross of a credit without an installment is its amount, and an uncovered part has none", () => {
  const uncovered: TransferCredit = { amount: 50, movement: null, installment: null };
  const sums = [credit("sal_1", 9_000), credit(null, 9_601), uncovered].map(sumsOf);
  expect(sums.map(({ gross, fees, net, used }) => [gross, fees, net, used])).toEqual([
    [10_000, 399, 9_601, 9_000],
    [9_601, 0, 9_601, 9_601],
    [0, 0, 0, 50],
  ]);
  expect(sumOf(sums)).toEqual({
    gross: 19_601,
    fees: 399,
    refunded: 0,
    withheld: 0,
    net: 19_202,
    used: 18_651,
  });
});

test("a released reserve is named as such", () => {
  const settled = credit("sal_1", 9_601);
  const released = { ...settled, movement: { ...movement, movement: "reserve_released" } };
  expect([settled, released].map(creditName)).toEqual(["Parcela 1 de 2", "Reserva da parcela 1 de 2"]);
  const adjustment = {
    ...credit(null, 5),
    movement: { ...movement, installment: null, description: "Ajuste" },
  };
  expect(creditName(adjustment)).toBe("Ajuste");
  expect(creditName({ amount: 5, movement: null, installment: null })).toBe("Ainda não coberto");
});
