// A month as a calendar: its weeks from Sunday to Saturday, and the targets of the arrow keys. Dates only.
import { monthEnd, monthStart, shiftDate, shiftMonth } from "../../format/dates";

const DAYS_OF_WEEK = 7;

/** Sunday is 0. */
function weekday(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay();
}

/** The weeks of the month of `date`; days of the neighboring months are null. */
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

/** The same day of the month `months` later, or the last day of a shorter month. */
function sameDayOf(date: string, months: number): string {
  const start = shiftMonth(date, months);
  const same = shiftDate(start, Number(date.slice(-2)) - 1);
  return sameMonth(start, same) ? same : monthEnd(start);
}

/** The target of a key pressed on `date`, as in any grid of days; undefined for other keys. */
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
