import { expect, it } from "vitest";
import { businessDayOf } from "./filters";

// 22:30 of the day before in Brasília.
const now = new Date("2026-11-22T01:30:00Z");

it("takes the business day from the platform's clock", () => {
  expect(businessDayOf({ today: "2026-11-20" }, now)).toBe("2026-11-20");
});

it("takes the business day in Brasília from the browser's clock until the platform's is read", () => {
  expect(businessDayOf(undefined, now)).toBe("2026-11-21");
});
