// The lengths of time of filters and of refreshing. Periods of hours, "1d" included, end now, to the second.
// Longer ones are whole days in the reader's zone.
import { dateIn, type TimeZone } from "./dates";

export const PERIOD_OPTIONS = ["1h", "12h", "1d", "1w", "15d", "1m"] as const;
export type PeriodOption = (typeof PERIOD_OPTIONS)[number];

const HOUR_MS = 3_600_000;
const HOURS: Partial<Record<PeriodOption, number>> = { "1h": 1, "12h": 12, "1d": 24 };
/** Includes today. */
const DAYS: Partial<Record<PeriodOption, number>> = { "1w": 7, "15d": 15, "1m": 30 };

/** The instant in UTC, to the second. */
const toSecond = (ms: number) => new Date(ms).toISOString().replace(/\.\d+Z$/, "Z");

/** Start and end of the period that ends now: two instants, or two dates in `zone`. */
export function lastPeriod(option: PeriodOption, now: Date, zone: TimeZone): [string, string] {
  const hours = HOURS[option];
  if (hours) return [toSecond(now.getTime() - hours * HOUR_MS), toSecond(now.getTime())];
  return [dateIn(zone, now, 1 - (DAYS[option] ?? 1)), dateIn(zone, now)];
}

/** Minutes between two refreshes. */
export const REFRESH_MINUTES = [5, 10, 15, 30, 60, 180, 360, 720, 1440] as const;
export type RefreshMinutes = (typeof REFRESH_MINUTES)[number];
