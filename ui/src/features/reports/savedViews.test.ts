import { expect, test } from "vitest";
import type { ReportView } from "../../api/models";
import { addressOf, isOpen, keptState, leftOut, withoutPeriod } from "./savedViews";

const view: ReportView = {
  id: "1",
  report: "totals",
  name: "Visa",
  filters: {
    group: "week",
    brand: "visa",
    payment_link: "2F6F4F5A1B0B",
    start: "2026-11-01",
    end: "2026-11-21",
  },
  columns: null,
  rows: "brand",
  sort: "net",
  order: "asc",
  outdated: {},
  updated_at: "2026-11-21T15:00:00Z",
};

test("a view opens the address that it was saved from", () => {
  const search =
    "brand=visa&group=week&link=2F6F4F5A1B0B&start=2026-11-01&end=2026-11-21&rows=brand&sort=net&order=asc";
  const { filters, rows, sort, order } = keptState(`?${search}&page=3`);
  expect({ filters, rows, sort, order }).toEqual({
    filters: view.filters,
    rows: "brand",
    sort: "net",
    order: "asc",
  });
  expect(isOpen(view, `${search}&page=2`)).toBe(true);
  expect(isOpen(view, "brand=visa")).toBe(false);
});

test("a view without its period keeps the other filters", () => {
  const state = { filters: view.filters, rows: null, sort: null, order: null };
  const { start: _start, end: _end, ...rest } = view.filters;
  expect(withoutPeriod(state).filters).toEqual(rest);
});

test("opening a view replaces the filters and keeps the tab", () => {
  const address = new URLSearchParams(addressOf(view, "tab=settled&solution=1&page=4"));
  expect(address.get("tab")).toBe("settled");
  expect([address.get("solution"), address.get("page")]).toEqual([null, null]);
  expect([address.get("link"), address.get("rows")]).toEqual(["2F6F4F5A1B0B", "brand"]);
});

test("filters that the report no longer accepts are left out, and half a period leaves out the whole period", () => {
  const outdated = {
    ...view,
    filters: { ...view.filters, installments: "3" },
    outdated: { start: "Muito antigo." },
  };
  expect(leftOut(outdated)).toEqual({ installments: "", start: "Muito antigo." });
  const address = new URLSearchParams(addressOf(outdated, ""));
  expect([address.get("start"), address.get("end"), address.get("installments")]).toEqual([null, null, null]);
  expect(address.get("brand")).toBe("visa");
});
