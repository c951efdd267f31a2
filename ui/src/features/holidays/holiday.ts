// The form of a new holiday: its date as typed, and its validation. The gateway validates it again.
import * as z from "zod/mini";
import { businessToday, dateOfTyped } from "../../format/dates";
import { holidaysStrings as words } from "../../strings/pt-BR.holidays";

export const NAME_CHARS_MAX = 60;

export function holidaySchema(now: Date) {
  const today = businessToday(now);
  const isDate = (digits: string) => dateOfTyped(digits) !== undefined;
  return z.object({
    /** The typed digits, "09072027". */
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
export type HolidayValues = z.infer<ReturnType<typeof holidaySchema>>;

export const NEW_HOLIDAY: HolidayValues = { date: "", name: "" };
