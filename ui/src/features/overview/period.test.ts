import { expect, it } from "vitest";
import { periodQuery } from "./period";

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
