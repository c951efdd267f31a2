import { expect, it } from "vitest";
import { barsOf, hasMoreBars, summaryOf } from "./chartData";
import type { ReportRow } from "./rows";

const row = (name: string, gross: number) =>
  ({ id: name, name, sums: { gross }, scope: null }) as unknown as ReportRow;
const rows = [row("a", 10), row("b", 60), row("c", 30), row("d", 0)];

it("draws the largest rows first, each with its share of the total", () => {
  expect(barsOf(rows, "gross", { max: 10, total: 100 })).toEqual([
    { name: "b", value: 60, share: 0.6 },
    { name: "c", value: 30, share: 0.3 },
    { name: "a", value: 10, share: 0.1 },
  ]);
});

it("computes shares of the report's total, not of the rows of one page", () => {
  const [largest] = barsOf(rows, "gross", { max: 10, total: 240 });
  expect(largest).toEqual({ name: "b", value: 60, share: 0.25 });
  expect(summaryOf("Vendas", [{ name: "b", value: 60_00 }], 240_00)).toContain("Total: R$\u00a0240,00.");
});

it("computes shares of the positive rows' sum if negative rows lower the total", () => {
  const bars = barsOf([row("a", 100), row("b", -60)], "gross", { max: 10, total: 40 });
  expect(bars).toEqual([{ name: "a", value: 100, share: 1 }]);
});

it("adds a bar with the sum of the other rows", () => {
  const bars = barsOf(rows, "gross", { max: 1, total: 100, others: true });
  expect(bars.map(({ name, value }) => [name, value])).toEqual([
    ["b", 60],
    ["Outros", 40],
  ]);
});

it("draws no bars if all values are zero", () => {
  expect(barsOf([row("a", 0)], "gross", { max: 10, total: 0, others: true })).toEqual([]);
  expect(summaryOf("Vendas", [], 0)).toBe("Vendas");
});

it("ignores rows without a value when it decides whether all bars fit", () => {
  const rows = [row("a", 5), row("b", 3), row("c", 0)];
  expect(hasMoreBars(rows, "gross", 2)).toBe(false);
  expect(hasMoreBars(rows, "gross", 1)).toBe(true);
});
