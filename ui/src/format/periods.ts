// The lengths of time that filters and refreshing offer. Lists are asked for by business date, so a length of
// hours means the dates that it touches.
import { businessToday } from "./dates";

export const PERIOD_OPTIONS = ["1h", "12h", "1d", "1w", "15d", "1m"] as const;
export type PeriodOption = (typeof PERIOD_OPTIONS)[number];

const HOUR_MS = 3_600_000;
const HOURS: Partial<Record<PeriodOption, number>> = { "1h": 1, "12h": 12 };
/** Today is one of the days. */
const DAYS: Partial<Record<PeriodOption, number>> = { "1d": 1, "1w": 7, "15d": 15, "1m": 30 };

/** First and last business date of the period that ends now. */
export function lastPeriod(option: PeriodOption, now: Date): [string, string] {
  const earlier = new Date(now.getTime() - (HOURS[option] ?? 0) * HOUR_MS);
  return [businessToday(earlier, 1 - (DAYS[option] ?? 1)), businessToday(now)];
}

/** Minutes between two refreshes. */
export const REFRESH_MINUTES = [5, 10, 15, 30, 60, 180, 360, 720, 1440] as const;
export type RefreshMinutes = (typeof REFRESH_MINUTES)[number];
