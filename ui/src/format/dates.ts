// Instants and business dates for the eye. Instants are shown in UTC unless the reader chose Brasília;
// business dates have no time zone and are never shifted.
import dayjs from "dayjs";
import "dayjs/locale/pt-br.js";
import timezone from "dayjs/plugin/timezone.js";
import utc from "dayjs/plugin/utc.js";

dayjs.extend(utc);
dayjs.extend(timezone);

export type TimeZone = "UTC" | "America/Sao_Paulo";

/** The business day of the whole platform, whatever zone a reader chose for instants. */
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

/** An instant as a date-and-time field holds it: "2026-11-21T14:05:00", without its zone. */
export function fieldText(value: string, zone: TimeZone = "UTC"): string {
  return instant(value, zone, "YYYY-MM-DD[T]HH:mm:ss");
}

/** The instant that such a field means in `zone`; undefined where it means none. */
export function instantOfField(text: string, zone: TimeZone = "UTC"): string | undefined {
  const [, day = "", time = ""] = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}(?::\d{2})?)$/.exec(text) ?? [];
  const moment = dayjs.utc(`${day}T${time}Z`);
  // A day that does not exist, such as 30 February, rolls over: then it is not what was written.
  if (!day || !moment.isValid() || !moment.toISOString().startsWith(`${day}T${time}`)) return undefined;
  return (zone === "UTC" ? moment : dayjs.tz(`${day}T${time}`, zone)).toISOString();
}

/** A business date, "2026-11-21", as "21/11/2026". */
export function businessDate(value: string, format = DATE): string {
  return at(`${value}T00:00:00Z`, "UTC").format(format);
}

/** "sábado, 21 de novembro" */
export function businessDateInWords(value: string): string {
  return businessDate(value, "dddd, D [de] MMMM");
}

/** Today's business date at `now`, shifted by whole days. */
export function businessToday(now: Date, days = 0): string {
  return dayjs(now).tz(BUSINESS_ZONE).add(days, "day").format("YYYY-MM-DD");
}

/** The date that is `days` after `date`. */
export function shiftDate(date: string, days: number): string {
  return dayjs.utc(date).add(days, "day").format("YYYY-MM-DD");
}

export function monthStart(date: string): string {
  return `${date.slice(0, 8)}01`;
}

export function monthEnd(date: string): string {
  return dayjs.utc(date).endOf("month").format("YYYY-MM-DD");
}

/** The first date of the month that is `months` after the one that `date` is in. */
export function shiftMonth(date: string, months: number): string {
  return dayjs.utc(monthStart(date)).add(months, "month").format("YYYY-MM-DD");
}

/** First and last date of the month before the one that `date` is in. */
export function previousMonth(date: string): [string, string] {
  const last = dayjs.utc(monthStart(date)).subtract(1, "day").format("YYYY-MM-DD");
  return [monthStart(last), last];
}
