// The periods of reports: which parts a period may have, and the names of its parts. The gateway cuts the parts.
import { BUSINESS_ZONE, businessDate, instant, monthEnd, monthName, monthStart } from "../../format/dates";

export const GROUPS = ["hour", "day", "week", "month"] as const;
export type Group = (typeof GROUPS)[number];

export interface Span {
  start: string;
  end: string;
}

const DAY_MS = 86_400_000;
const HOUR_DAYS_MAX = 2;
const DAYS_MAX = 400;
/** Weeks and months: five years. */
const LONG_DAYS_MAX = 5 * 366;

const isInstant = (end: string) => end.includes("T");

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

/** "21/11 14h", "21/11/2026", "16/11 a 22/11/2026", "novembro de 2026" */
export function partName(group: Group, { start, end }: Span): string {
  if (isInstant(start)) return instant(start, BUSINESS_ZONE, "DD/MM HH[h]");
  if (group === "month" && start === monthStart(start) && end === monthEnd(start)) return monthName(start);
  return spanName({ start, end });
}

/** The name of a part on a chart's axis, which has little room. */
export function shortPartName(group: Group, { start }: Span): string {
  if (isInstant(start)) return instant(start, BUSINESS_ZONE, "HH[h]");
  return businessDate(start, group === "month" ? "MMM/YY" : "DD/MM");
}

/** A period in words: "01/11/2026 a 21/11/2026"; by hour "21/11/2026 14:00 a 21/11/2026 17:59". */
export function spanName({ start, end }: Span): string {
  const name = (moment: string) =>
    isInstant(moment) ? instant(moment, BUSINESS_ZONE) : businessDate(moment);
  const [first, last] = [name(start), name(end)];
  if (first === last) return first;
  // The year is once enough.
  const sameYear = !isInstant(start) && start.slice(0, 4) === end.slice(0, 4);
  return `${sameYear ? businessDate(start, "DD/MM") : first} a ${last}`;
}
