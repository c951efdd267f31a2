import { expect, it } from "vitest";
import { periodText } from "./periodText";

const shown = (at: string) => at;

it("shows whole business days with the last day that belongs to the period", () => {
  const october = { from: "2026-10-01T03:00:00.000Z", to: "2026-11-01T03:00:00.000Z" };
  expect(periodText(october, shown)).toBe("01/10/2026 a 31/10/2026");
});

it("shows other periods by their instants", () => {
  const hours = { from: "2026-10-01T03:00:00.000Z", to: "2026-10-01T15:30:00.000Z" };
  expect(periodText(hours, shown)).toBe(`${hours.from} a ${hours.to}`);
  const empty = { from: hours.from, to: hours.from };
  expect(periodText(empty, shown)).toBe(`${hours.from} a ${hours.from}`);
});
