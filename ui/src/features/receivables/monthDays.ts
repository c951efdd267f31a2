// A month as a calendar: its weeks from Sunday to Saturday, and the days that keys lead to. All dates are texts without
// a time or a zone.
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
  const emptyCells = weekday(first);
  const weeks = Math.ceil((emptyCells + length) / DAYS_OF_WEEK);
  return Array.from({ length: weeks }, (_, week) =>
    Array.from({ length: DAYS_OF_WEEK }, (_, day) => {
      const number = week * DAYS_OF_WEEK + day - emptyCells;
      return number < 0 || number >= length ? null : shiftDate(first, number);
    }),
  );
}

export const sameMonth = (one: string, other: string) => monthStart(one) === monthStart(other);

/** The same day of the month `months` later, or the last day of a shorter month. */
function sameDayMonthsLater(date: string, months: number): string {
  const start = shiftMonth(date, months);
  const same = shiftDate(start, Number(date.slice(-2)) - 1);
  return sameMonth(start, same) ? same : monthEnd(start);
}

/** The day that a key pressed on `date` leads to, as in ARIA's grids of days; undefined for other keys. */
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
      return sameDayMonthsLater(date, -1);
    case "PageDown":
      return sameDayMonthsLater(date, 1);
    default:
      return undefined;
  }
}
