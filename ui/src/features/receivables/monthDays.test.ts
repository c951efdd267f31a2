import { describe, expect, it } from "vitest";
import { dayAfterKey, weeksOf } from "./monthDays";

describe("the weeks of a month", () => {
  it("hold each of its days once, in order, from Sunday to Saturday", () => {
    for (let year = 2024; year <= 2029; year += 1) {
      for (let month = 1; month <= 12; month += 1) {
        const start = `${year}-${String(month).padStart(2, "0")}-01`;
        const weeks = weeksOf(start);
        const days = weeks.flat().filter((day) => day !== null);
        expect(days).toHaveLength(new Date(Date.UTC(year, month, 0)).getUTCDate());
        expect(days).toEqual(days.toSorted());
        for (const week of weeks) {
          expect(week).toHaveLength(7);
          expect(week.some((day) => day !== null)).toBe(true);
          week.forEach((day, index) => {
            if (day) expect(new Date(day).getUTCDay(), day).toBe(index);
          });
        }
      }
    }
  });

  it("are four, five or six", () => {
    expect(weeksOf("2026-02-14")).toHaveLength(4);
    expect(weeksOf("2026-12-31")).toHaveLength(5);
    expect(weeksOf("2026-08-01")).toHaveLength(6);
  });

  it("leave out the days of the neighboring months", () => {
    expect(weeksOf("2026-12-23")[0]).toEqual([
      null,
      null,
      "2026-12-01",
      "2026-12-02",
      "2026-12-03",
      "2026-12-04",
      "2026-12-05",
    ]);
  });
});

it.each([
  ["ArrowLeft", "2026-12-01", "2026-11-30"],
  ["ArrowRight", "2026-12-31", "2027-01-01"],
  ["ArrowUp", "2026-12-03", "2026-11-26"],
  ["ArrowDown", "2026-12-30", "2027-01-06"],
  ["Home", "2026-12-23", "2026-12-20"],
  ["End", "2026-12-23", "2026-12-26"],
  ["End", "2026-12-26", "2026-12-26"],
  ["PageUp", "2027-03-31", "2027-02-28"],
  ["PageDown", "2026-12-31", "2027-01-31"],
  ["Enter", "2026-12-31", undefined],
])("%s moves from %s to %s", (key, from, to) => expect(dayAfterKey(key, from)).toBe(to));
