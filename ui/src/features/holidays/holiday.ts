// The form of a new holiday: its date as typed, and its validation. The gateway validates the same.
import * as z from "zod/mini";
import { businessToday } from "../../format/dates";
import { holidaysStrings as words } from "../../strings/pt-BR.holidays";

const NAME_CHARS_MAX = 60;

export interface HolidayValues {
  /** The typed digits, "09072027". */
  date: string;
  name: string;
}

export const NEW_HOLIDAY: HolidayValues = { date: "", name: "" };

/** The typed digits as "2027-07-09"; undefined if they are not a date. */
export function dateOfTyped(digits: string): string | undefined {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})$/.exec(digits) ?? [];
  if (!day || !month || !year) return undefined;
  const text = `${year}-${month}-${day}`;
  const moment = new Date(`${text}T00:00:00Z`);
  // A day that does not exist, such as 30 February, becomes another day or no date at all.
  const exists = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
  return exists ? text : undefined;
}

export function holidaySchema(now: Date) {
  const today = businessToday(now);
  const isDate = (digits: string) => dateOfTyped(digits) !== undefined;
  return z.object({
    date: z.string().check(
      z.minLength(1, words.dateRequired),
      z.refine((digits) => digits === "" || isDate(digits), words.dateInvalid),
      z.refine((digits) => !isDate(digits) || (dateOfTyped(digits) ?? "") >= today, words.datePast),
    ),
    name: z.string().check(
      z.trim(),
      z.minLength(1, words.nameRequired),
      z.refine((name) => [...name].length <= NAME_CHARS_MAX, words.nameTooLong),
    ),
  });
}
