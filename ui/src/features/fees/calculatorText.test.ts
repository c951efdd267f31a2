import { expect, it } from "vitest";
import type { SimulationRow } from "../../api/models";
import { copiedText, installmentsText, mayCopy, whenText } from "./calculatorText";

function price(amounts: number[], dates: string[]): NonNullable<SimulationRow["price"]> {
  const charged = amounts.reduce((sum, amount) => sum + amount, 0);
  return {
    charged,
    net: charged - 100,
    fees: { plan_percentage_fee: 100, plan_flat_fee: 0, plan_percentage_rate: 0, plan_flat_rate: 0 },
    fees_total: 100,
    fee_lines: [],
    installment_amounts: amounts,
    receivables: dates.map((due_date, index) => ({ number: index + 1, gross: 0, net: 0, due_date })),
    plan: { id: "pln_1", name: "Loja", version: 1 },
  };
}

const plain = (text: string) => text.replaceAll("\u00a0", " ");

it("names equal installments once, and the cents of the first", () => {
  const once = price([10_000], ["2026-11-23"]);
  expect(plain(installmentsText(once))).toBe("R$ 100,00");
  const equal = price([5_000, 5_000], ["2026-12-21", "2027-01-20"]);
  expect(plain(installmentsText(equal))).toBe("2x de R$ 50,00");
  const uneven = price([35_809, 35_807, 35_807], ["2026-12-21", "2027-01-20", "2027-02-19"]);
  expect(plain(installmentsText(uneven))).toBe("1x de R$ 358,09 + 2x de R$ 358,07");
});

it("says when the money comes", () => {
  expect(whenText(price([10_000], ["2026-11-23"]))).toBe("23/11/2026");
  const monthly = price([5_000, 5_000], ["2026-12-21", "2027-01-20"]);
  expect(whenText(monthly)).toBe("de 21/12/2026 a 20/01/2027");
  expect(whenText(price([5_000, 5_000], ["2026-11-23", "2026-11-23"]))).toBe("23/11/2026");
});

it("copies no rows of an earlier amount or brand", () => {
  expect(mayCopy({ amount: 20_000, priced: 20_000, isPrevious: false })).toBe(true);
  // The amount was just typed.
  expect(mayCopy({ amount: 20_000, priced: 10_000, isPrevious: false })).toBe(false);
  // The read for it runs.
  expect(mayCopy({ amount: 20_000, priced: 20_000, isPrevious: true })).toBe(false);
});

it("copies the rows that have a price", () => {
  const rows: SimulationRow[] = [
    { payment_type: "debit", installments: 1, price: price([10_000], ["2026-11-23"]), reason: null },
    { payment_type: "credit", installments: 2, price: null, reason: "Sem taxa." },
  ];
  expect(copiedText(rows, 10_000, "visa")).toBe(
    "R$ 100,00 · Visa\nDébito: cobrar R$ 100,00, receber R$ 99,00",
  );
});
