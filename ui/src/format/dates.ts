// Instants and business dates as text. An instant is shown in a zone. A business date has no zone and is never shifted.
import dayjs from "dayjs";
import "dayjs/locale/pt-br.js";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);

/** A name of the IANA database. */
export type TimeZone = string;

/** The zone of the platform's business days, independent of the reader's zone. */
export const BUSINESS_ZONE: TimeZone = "America/Sao_Paulo";

const DATE = "DD/MM/YYYY";

function at(instant: string, zone: TimeZone) {
  const moment = dayjs.utc(instant);
  if (!moment.isValid()) throw new RangeError(`not an instant: ${instant}`);
  return (zone === "UTC" ? moment : moment.tz(zone)).locale("pt-br");
}

/** "21/11/2026 14:05" */
export function instant(value: string, zone: TimeZone = "UTC", format = `${DATE} HH:mm`): string {
  return at(value, zone).format(format);
}

/** "sábado, 21/11/2026 14:05" */
export function instantWithWeekday(value: string, zone: TimeZone = "UTC"): string {
  return instant(value, zone, `dddd, ${DATE} HH:mm`);
}

/** An instant as the digits that are typed: "21112026140500". */
export function typedInstant(value: string, zone: TimeZone = "UTC"): string {
  return instant(value, zone, "DDMMYYYYHHmmss");
}

/** The typed instant in `zone`, with or without seconds; undefined if it is not one. */
export function instantOfTyped(digits: string, zone: TimeZone = "UTC"): string | undefined {
  const [, day, month, year, time] = /^(\d{2})(\d{2})(\d{4})(\d{4}(?:\d{2})?)$/.exec(digits) ?? [];
  if (!time) return undefined;
  const text = `${year}-${month}-${day}T${time.padEnd(6, "0").replace(/(..)(..)(..)/, "$1:$2:$3")}`;
  const moment = dayjs.utc(`${text}Z`);
  // A day that does not exist, such as 30 February, rolls over and no longer equals the text.
  if (!moment.isValid() || !moment.toISOString().startsWith(text)) return undefined;
  return (zone === "UTC" ? moment : dayjs.tz(text, zone)).toISOString();
}

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

/** A business date, "2026-11-21", as "21/11/2026". */
export function businessDate(value: string, format = DATE): string {
  return at(`${value}T00:00:00Z`, "UTC").format(format);
}

/** "sábado, 21 de novembro" */
export function businessDateInWords(value: string): string {
  return businessDate(value, "dddd, D [de] MMMM");
}

/** The date in `zone` at `now`, shifted by whole days. */
export function dateIn(zone: TimeZone, now: Date, days = 0): string {
  const today = at(now.toISOString(), zone).format("YYYY-MM-DD");
  return shiftDate(today, days);
}

/** The business date at `now`, shifted by whole days. */
export function businessToday(now: Date, days = 0): string {
  return dateIn(BUSINESS_ZONE, now, days);
}

/** The date `days` after `date`. */
export function shiftDate(date: string, days: number): string {
  return dayjs.utc(date).add(days, "day").format("YYYY-MM-DD");
}

export function monthStart(date: string): string {
  return `${date.slice(0, 8)}01`;
}

/** "outubro de 2026" */
export function monthName(date: string): string {
  return instant(`${monthStart(date)}T00:00:00Z`, "UTC", "MMMM [de] YYYY");
}

export function monthEnd(date: string): string {
  return dayjs.utc(date).endOf("month").format("YYYY-MM-DD");
}

/** The first date of the month `months` after that of `date`. */
export function shiftMonth(date: string, months: number): string {
  return dayjs.utc(monthStart(date)).add(months, "month").format("YYYY-MM-DD");
}

/** The first and the last date of the month before that of `date`. */
export function previousMonth(date: string): [string, string] {
  const last = dayjs.utc(monthStart(date)).subtract(1, "day").format("YYYY-MM-DD");
  return [monthStart(last), last];
}
