import { expect, it } from "vitest";
import { allowedGroups, groupAfter } from "./period";

const span = (start: string, end: string) => ({ start, end });
const TODAY = "2026-11-21";

it.each([
  ["no period", null, ["hour", "day", "week", "month"]],
  ["part of a day", span("2026-11-21T03:00:00Z", "2026-11-21T15:00:00Z"), ["hour"]],
  ["two days", span("2026-11-20", "2026-11-21"), ["hour", "day", "week", "month"]],
  ["two days that begin before yesterday", span("2026-11-19", "2026-11-20"), ["day", "week", "month"]],
  ["three days", span("2026-11-19", "2026-11-21"), ["day", "week", "month"]],
  ["400 days", span("2025-10-18", "2026-11-21"), ["day", "week", "month"]],
  ["401 days", span("2025-10-17", "2026-11-21"), ["week", "month"]],
  ["more than five years", span("2020-11-20", "2026-11-21"), []],
])("offers the groups for %s", (_, period, groups) => expect(allowedGroups(period, TODAY)).toEqual(groups));

it("keeps the chosen group for a new period that allows it, else takes an allowed one", () => {
  const month = span("2026-11-01", "2026-11-21");
  expect(groupAfter(month, "week", "day", TODAY)).toBe("week");
  expect(groupAfter(month, "hour", "day", TODAY)).toBeNull();
  const hours = span("2026-11-21T03:00:00Z", "2026-11-21T15:00:00Z");
  expect(groupAfter(hours, "week", "day", TODAY)).toBe("hour");
  expect(groupAfter(hours, null, "month", TODAY)).toBe("hour");
  expect(groupAfter(span("2024-11-21", "2026-11-21"), null, "day", TODAY)).toBe("week");
  expect(groupAfter(null, "hour", "day", TODAY)).toBe("hour");
});
