import { expect, it } from "vitest";
import { lastPeriod } from "./periods";

// 00:30 in Brasilia.
const justAfterMidnight = new Date("2026-11-21T03:30:00Z");

it.each([
  ["1h", "2026-11-20"],
  ["12h", "2026-11-20"],
  ["1d", "2026-11-21"],
  ["1w", "2026-11-15"],
  ["15d", "2026-11-07"],
  ["1m", "2026-10-23"],
] as const)("%s until just after midnight begins on %s", (option, start) => {
  expect(lastPeriod(option, justAfterMidnight)).toEqual([start, "2026-11-21"]);
});

it("an hour at noon is of today alone", () => {
  expect(lastPeriod("1h", new Date("2026-11-21T15:00:00Z"))).toEqual(["2026-11-21", "2026-11-21"]);
});
