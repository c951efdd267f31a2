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

export function monthStart(date: string): string {
  return `${date.slice(0, 8)}01`;
}

/** First and last date of the month before the one that `date` is in. */
export function previousMonth(date: string): [string, string] {
  const last = dayjs.utc(monthStart(date)).subtract(1, "day").format("YYYY-MM-DD");
  return [monthStart(last), last];
}
