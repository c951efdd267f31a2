import { expect, it } from "vitest";
import { salesBehind } from "./drillDown";
import { changeOf, FIGURES, type FigureKey, figureText, type Sums } from "./figures";
import { type ReportRow, sortOf, sortRows } from "./rows";

const none = { count: 0, gross: 0, net: 0 };
const nothing: Sums = {
  count: 0,
  gross: 0,
  installment_gross: 0,
  percentage_fee: 0,
  flat_fee: 0,
  percentage_rate: 0,
  flat_rate: 0,
  fees: 0,
  net: 0,
  canceled: none,
  refunded: none,
  reversed: none,
  disputed: { count: 0, amount: 0 },
  disputes_won: { count: 0, amount: 0 },
  charged_back: { count: 0, amount: 0 },
  settled: { count: 0, gross: 0, amount: 0 },
};
const sums = (some: Partial<Sums>): Sums => ({ ...nothing, ...some });

it.each([
  ["a rise", 150, 100, { direction: "up", ratio: 0.5, tone: "good" }],
  ["a fall", 50, 100, { direction: "down", ratio: -0.5, tone: "bad" }],
  ["no change", 100, 100, { direction: "level", ratio: 0, tone: "quiet" }],
  ["a fall to nothing", 0, 100, { direction: "down", ratio: -1, tone: "bad" }],
  ["a rise from nothing, which has no ratio", 100, 0, { direction: "up", ratio: null, tone: "good" }],
  ["nothing after nothing", 0, 0, undefined],
])("compares %s", (_, now, before, change) =>
  expect(changeOf("gross", sums({ gross: now }), sums({ gross: before }))).toEqual(change),
);

it("marks a rise of cancellations as bad and a rise of fees as neutral", () => {
  const canceled = (gross: number) => sums({ canceled: { ...none, gross } });
  expect(changeOf("canceled", canceled(2), canceled(1))?.tone).toBe("bad");
  expect(changeOf("fees", sums({ fees: 2 }), sums({ fees: 1 }))?.tone).toBe("quiet");
});

it("shows a smaller loss as a rise", () => {
  const platform = (total: number) =>
    sums({ platform: { sales: total, withdrawals: 0, rentals: 0, write_offs: 0, total } });
  expect(changeOf("platform_total", platform(-50), platform(-100))).toMatchObject({
    direction: "up",
    ratio: 0.5,
  });
});

it("shows a dash as the average ticket of no sales", () => {
  expect(figureText("ticket", nothing)).toBe("—");
});

it("rounds the average ticket to a cent", () => {
  expect(FIGURES.ticket.of(sums({ count: 3, gross: 100 }))).toBe(33);
});

it.each([
  ["gross", "captured", null],
  ["canceled", "reversed", "canceled"],
  ["refunded", "reversed", "reversed"],
  ["charged_back", "reversed", "charged_back"],
  ["settled", "settled", null],
] as const)("links %s to its sales", (figure, by, status) => {
  const scope = { start: "2026-11-01", end: "2026-11-21", brand: "visa", link: null, terminal: undefined };
  const address = new URL(salesBehind(figure, scope) ?? "", "http://localhost");
  expect(address.pathname).toBe("/vendas");
  expect(Object.fromEntries(address.searchParams)).toEqual({
    start: "2026-11-01",
    end: "2026-11-21",
    brand: "visa",
    by,
    time_zone: "America/Sao_Paulo",
    ...(status && { status }),
  });
});

it("links every figure to its sales, except the platform's revenue and what no list filters", () => {
  const keys = Object.keys(FIGURES) as FigureKey[];
  const unlinked = keys.filter((key) => !salesBehind(key, { start: "2026-11-01", end: "2026-11-21" }));
  const unlisted = (key: FigureKey) => key.startsWith("platform_") || key === "installment_gross";
  expect(unlinked).toEqual(keys.filter(unlisted));
});

it("sorts rows by name and by figure", () => {
  const row = (id: string, name: string, gross: number): ReportRow => ({
    id,
    name,
    sums: sums({ gross }),
    scope: null,
  });
  const rows = [
    row("2026-10-01", "outubro", 5),
    row("2026-11-01", "novembro", 9),
    row("2026-09-01", "setembro", 7),
  ];
  const names = (sorted: ReportRow[]) => sorted.map(({ name }) => name);
  expect(names(sortRows(rows, "period", "name", "asc"))).toEqual(["setembro", "outubro", "novembro"]);
  expect(names(sortRows(rows, "solution", "name", "asc"))).toEqual(["novembro", "outubro", "setembro"]);
  expect(names(sortRows(rows, "period", "gross", "desc"))).toEqual(["novembro", "setembro", "outubro"]);
});

it.each([
  ["company", null, "platform_total", "gross"],
  ["company", "refunded", "settled", "gross"],
  ["company", null, "settled", "settled"],
  ["company", "name", "settled", "name"],
  ["period", null, "platform_total", "name"],
  ["period", "platform_total", "platform_total", "platform_total"],
  ["brand", null, "gross", "gross"],
] as const)(
  "sorts rows of kind %s, with the column %s chosen and the figure %s ranked, by %s",
  (kind, chosen, ranked, sort) => expect(sortOf(kind, chosen, ranked)).toBe(sort),
);
