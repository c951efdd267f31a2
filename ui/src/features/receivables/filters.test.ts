import { expect, it } from "vitest";
import { todayOf } from "./filters";

// 22:30 of the day before in Brasília.
const now = new Date("2026-11-22T01:30:00Z");

it("takes today from the platform's clock", () => {
  expect(todayOf({ today: "2026-11-20" }, now)).toBe("2026-11-20");
});

it("takes the date in Brasília from the browser's clock until the platform's is read", () => {
  expect(todayOf(undefined, now)).toBe("2026-11-21");
});
