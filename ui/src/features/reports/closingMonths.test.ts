import { expect, it } from "vitest";
import { closingMonths } from "./closingMonths";

it("offers the last 24 months, the latest first", () => {
  const months = closingMonths("2026-10-01", "2026-10");
  expect(months).toHaveLength(24);
  expect(months[0]).toBe("2026-10");
  expect(months.at(-1)).toBe("2024-11");
});

it("adds an older month that the address names, and ignores a text that is no month", () => {
  expect(closingMonths("2026-10-01", "2023-02").at(-1)).toBe("2023-02");
  expect(closingMonths("2026-10-01", "2023-13")).toHaveLength(24);
});
