// The periods of reports: which parts a period may have. The gateway cuts the parts.
import { GROUPS, type Group, isInstant, type Span } from "../../format/parts";

const DAY_MS = 86_400_000;
const HOUR_DAYS_MAX = 2;
const DAYS_MAX = 400;
/** Weeks and months: five years. */
const LONG_DAYS_MAX = 5 * 366;

/** The number of days of a period of dates, both ends included. */
const daysOf = ({ start, end }: Span) => (Date.parse(end) - Date.parse(start)) / DAY_MS + 1;

/** The parts that the gateway accepts for a period. Each part has a usual period, so without one all are allowed. */
export function allowedGroups(period: Span | null): readonly Group[] {
  if (!period) return GROUPS;
  // A part of a day has no whole days.
  if (isInstant(period.start) || isInstant(period.end)) return ["hour"];
  const days = daysOf(period);
  return GROUPS.filter((group) => {
    if (group === "hour") return days <= HOUR_DAYS_MAX;
    return days <= (group === "day" ? DAYS_MAX : LONG_DAYS_MAX);
  });
}

/** The parts of a newly chosen period: the ones before if they are allowed; null is the report's default. */
export function groupAfter(period: Span | null, chosen: Group | null, usual: Group): Group | null {
  const allowed = allowedGroups(period);
  if (allowed.includes(chosen ?? usual) || allowed.length === 0) return chosen;
  return allowed.includes(usual) ? null : (allowed[0] ?? null);
}
