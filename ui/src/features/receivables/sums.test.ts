import { describe, expect, it } from "vitest";
import { NOTHING_DUE, pageOf, scheduledOf, stateOf, sumOf, unitAmounts } from "./sums";

const day = (due_date: string, expected: number, settled = 0, accelerated = 0, count = 1) => ({
  due_date,
  expected,
  settled,
  accelerated,
  count,
});

it("adds the amounts and the counts of all days", () => {
  const days = Array.from({ length: 100 }, () => day("2026-12-23", 10, 7, 2, 3));
  expect(sumOf(days)).toEqual({ expected: 1000, settled: 700, accelerated: 200, count: 300 });
  expect(sumOf([])).toEqual({ expected: 0, settled: 0, accelerated: 0, count: 0 });
});

it("leaves amounts undefined if the unit may be on another page, and has zeros if no page can have it", () => {
  const units = [day("2026-12-23", 10)];
  const of = (total_pages: number, expected: number) =>
    unitAmounts({ data: units, meta: { total_pages } }, (unit) => unit.expected === expected);
  expect(of(2, 10)).toBe(units[0]);
  expect(of(2, 20)).toBeUndefined();
  expect(of(1, 20)).toEqual(NOTHING_DUE);
});

it("subtracts settled and accelerated amounts from the expected one", () => {
  expect(scheduledOf(day("2026-12-23", 9700, 4000, 700))).toBe(5000);
  expect(scheduledOf(day("2026-12-23", 9700, 9700))).toBe(0);
});

it.each([
  [9700, 0, 0, "scheduled"],
  [9700, 0, 700, "scheduled"],
  [9700, 1, 0, "partlySettled"],
  [9700, 9700, 0, "settled"],
  [9700, 9000, 700, "settled"],
  [9700, 0, 9700, "accelerated"],
  [0, 0, 0, "settled"],
] as const)(
  "an amount of %d with %d settled and %d accelerated is %s",
  (expected, settled, accelerated, state) =>
    expect(stateOf(day("2026-12-23", expected, settled, accelerated))).toBe(state),
);

describe("a page of days", () => {
  const days = ["2026-12-03", "2026-12-01", "2026-12-02"].map((date) => day(date, 1));
  const dates = (page: number, order: "asc" | "desc") =>
    pageOf(days, { page, perPage: 2, order }).data.map(({ due_date }) => due_date);

  it("is in the list's order", () => {
    expect(dates(1, "asc")).toEqual(["2026-12-01", "2026-12-02"]);
    expect(dates(2, "asc")).toEqual(["2026-12-03"]);
    expect(dates(1, "desc")).toEqual(["2026-12-03", "2026-12-02"]);
  });

  it("after the last one is the last one", () => {
    expect(dates(9, "asc")).toEqual(["2026-12-03"]);
    expect(pageOf([], { page: 4, perPage: 2, order: "asc" }).meta).toEqual({
      page: 1,
      per_page: 2,
      total: 0,
      total_pages: 0,
    });
  });
});
