// The lengths of time that filters and refreshing offer. A length of hours ends now, to the second; a length of days
// is of whole days in the reader's zone.
import { dateIn, type TimeZone } from "./dates";

export const PERIOD_OPTIONS = ["1h", "12h", "1d", "1w", "15d", "1m"] as const;
export type PeriodOption = (typeof PERIOD_OPTIONS)[number];

const HOUR_MS = 3_600_000;
const HOURS: Partial<Record<PeriodOption, number>> = { "1h": 1, "12h": 12, "1d": 24 };
/** Today is one of the days. */
const DAYS: Partial<Record<PeriodOption, number>> = { "1w": 7, "15d": 15, "1m": 30 };

/** The instant to the second, as an address holds it. */
const toSecond = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** Where the period that ends now begins and ends: two instants, or two dates in `zone`. */
export function lastPeriod(option: PeriodOption, now: Date, zone: TimeZone): [string, string] {
  const hours = HOURS[option];
  if (hours) return [toSecond(now.getTime() - hours * HOUR_MS), toSecond(now.getTime())];
  return [dateIn(zone, now, 1 - (DAYS[option] ?? 1)), dateIn(zone, now)];
}

/** Minutes between two refreshes. */
export const REFRESH_MINUTES = [5, 10, 15, 30, 60, 180, 360, 720, 1440] as const;
export type RefreshMinutes = (typeof REFRESH_MINUTES)[number];
