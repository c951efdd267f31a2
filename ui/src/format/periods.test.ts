import { expect, it } from "vitest";
import { lastPeriod } from "./periods";

// 00:30 in Brasília, 03:30 in UTC, 12:30 in Tokyo.
const now = new Date("2026-11-21T03:30:00.123Z");

it.each([
  ["1h", "2026-11-21T02:30:00Z"],
  ["12h", "2026-11-20T15:30:00Z"],
  ["1d", "2026-11-20T03:30:00Z"],
] as const)("%s begins that many hours ago, to the second, in any zone", (option, start) => {
  for (const zone of ["UTC", "America/Sao_Paulo", "Asia/Tokyo"]) {
    expect(lastPeriod(option, now, zone)).toEqual([start, "2026-11-21T03:30:00Z"]);
  }
});

it.each([
  ["1w", "2026-11-15"],
  ["15d", "2026-11-07"],
  ["1m", "2026-10-23"],
] as const)("%s has whole days", (option, start) => {
  expect(lastPeriod(option, now, "America/Sao_Paulo")).toEqual([start, "2026-11-21"]);
});

it("ends on the current day of the reader's zone", () => {
  expect(lastPeriod("1w", now, "America/Manaus")).toEqual(["2026-11-14", "2026-11-20"]);
});
