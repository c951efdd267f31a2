// A month as a calendar shows it: weeks from Sunday to Saturday, and where the arrow keys lead. Dates only.
import { monthEnd, monthStart, shiftDate, shiftMonth } from "../../format/dates";

const DAYS_OF_WEEK = 7;

/** Sunday is 0. */
function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The weeks that touch the month of `date`; days of its neighbours are null. */
export function weeksOf(date: string): (string | null)[][] {
  const first = monthStart(date);
  const length = Number(monthEnd(date).slice(-2));
  const before = weekday(first);
  const weeks = Math.ceil((before + length) / DAYS_OF_WEEK);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: DAYS_OF_WEEK }, (_, day) => {
      const number = week * DAYS_OF_WEEK + day - before;
      return number < 0 || number >= length ? null : shiftDate(first, number);
    }),
  );
}

export const sameMonth = (one: string, other: string) => monthStart(one) === monthStart(other);

/** The day `months` away with the same number, or the last one of a shorter month. */
function sameDayOf(date: string, months: number): string {
  const start = shiftMonth(date, months);
  const same = shiftDate(start, Number(date.slice(-2)) - 1);
  return sameMonth(start, same) ? same : monthEnd(start);
}

/** Where a key leads from `date`, as in any grid of days; undefined for keys that lead nowhere. */
export function dayAfterKey(key: string, date: string): string | undefined {
  switch (key) {
    case "ArrowLeft":
      return shiftDate(date, -1);
    case "ArrowRight":
      return shiftDate(date, 1);
    case "ArrowUp":
      return shiftDate(date, -DAYS_OF_WEEK);
    case "ArrowDown":
      return shiftDate(date, DAYS_OF_WEEK);
    case "Home":
      return shiftDate(date, -weekday(date));
    case "End":
      return shiftDate(date, DAYS_OF_WEEK - 1 - weekday(date));
    case "PageUp":
      return sameDayOf(date, -1);
    case "PageDown":
      return sameDayOf(date, 1);
    default:
      return undefined;
  }
}
