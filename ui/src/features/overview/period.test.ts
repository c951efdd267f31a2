import { expect, it } from "vitest";
import { periodQuery, renewed } from "./period";

const now = new Date("2026-11-21T15:04:05Z");

it("reads parts of a day by hour, and whole days by day", () => {
  expect(periodQuery("12h", now)).toEqual({
    group: "hour",
    start: "2026-11-21T03:04:05Z",
    end: "2026-11-21T15:04:05Z",
  });
  expect(periodQuery("1w", now)).toEqual({ group: "day", start: "2026-11-15", end: "2026-11-21" });
  expect(periodQuery("15d", now)).toEqual({ group: "day", start: "2026-11-07", end: "2026-11-21" });
});

it("leaves the usual period to the gateway", () => {
  expect(periodQuery("1m", now)).toEqual({});
});

it("ends a period of hours at the refresh", () => {
  const before = { option: "12h", query: periodQuery("12h", now) } as const;
  const later = renewed(before, new Date("2026-11-21T15:09:05Z"));
  expect(later.query).toMatchObject({ start: "2026-11-21T03:09:05Z", end: "2026-11-21T15:09:05Z" });
});

it("changes a period of days only when the business day changes", () => {
  const week = { option: "1w", query: periodQuery("1w", now) } as const;
  expect(renewed(week, new Date("2026-11-22T02:59:59Z"))).toBe(week);
  const next = renewed(week, new Date("2026-11-22T03:00:00Z"));
  expect(next.query).toMatchObject({ start: "2026-11-16", end: "2026-11-22" });
  const usual = { option: "1m", query: {} } as const;
  expect(renewed(usual, new Date("2026-11-22T03:00:00Z"))).toBe(usual);
});
