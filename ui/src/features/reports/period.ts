// The parts that a report's period may be cut into: hours, days, weeks or months (the report's group). The gateway cuts
// the parts, and has the same limits (gateway/http/src/reports/period/mod.rs).
import { shiftDate } from "../../format/dates";
import { GROUPS, type Group, isInstant, type Span } from "../../format/parts";

const DAY_MS = 86_400_000;
/** The longest period, in days, that can be cut into hours. */
const HOUR_DAYS_MAX = 2;
/** The longest period that can be cut into days. */
const DAYS_MAX = 400;
/** The longest period that can be cut into weeks or months: five years of 366 days. */
const LONG_DAYS_MAX = 5 * 366;

/** The number of days of a period of dates, both ends included. */
const daysOf = ({ start, end }: Span) => (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;

/**
 * The groups that can be chosen for a period. Without a period, each group has a default one. `today` is a business
 * date.
 */
export function allowedGroups(period: Span | null, today: string): readonly Group[] {
  if (!period) return GROUPS;
  // Only a report by hour uses the times of instants. The gateway refuses instants older than 48 hours.
  if (isInstant(period.start) || isInstant(period.end)) return ["hour"];
  const days = daysOf(period);
  return GROUPS.filter((group) => {
    // By hour, the gateway accepts only the last 48 hours. They include all of yesterday.
    if (group === "hour") return days <= HOUR_DAYS_MAX && period.start >= shiftDate(today, -1);
    return days <= (group === "day" ? DAYS_MAX : LONG_DAYS_MAX);
  });
}

/** The group for a newly chosen period: `chosen` if it is allowed. Null means `usual`, the report's default group. */
export function groupAfter(
  period: Span | null,
  chosen: Group | null,
  usual: Group,
  today: string,
): Group | null {
  const allowed = allowedGroups(period, today);
  if (allowed.includes(chosen ?? usual) || allowed.length === 0) return chosen;
  return allowed.includes(usual) ? null : (allowed[0] ?? null);
}
