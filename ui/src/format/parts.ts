// The parts into which the gateway divides a period, and their names.
import { BUSINESS_ZONE, businessDate, instant, monthEnd, monthName, monthStart } from "./dates";

export const GROUPS = ["hour", "day", "week", "month"] as const;
export type Group = (typeof GROUPS)[number];

export interface Span {
  start: string;
  end: string;
}

/** Whether an end of a period has hours. */
export const isInstant = (end: string) => end.includes("T");

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

/** A period in words: "01/11 a 21/11/2026"; by hour "21/11/2026 14:00 a 21/11/2026 17:59". */
export function spanName({ start, end }: Span): string {
  const name = (moment: string) =>
    isInstant(moment) ? instant(moment, BUSINESS_ZONE) : businessDate(moment);
  const [first, last] = [name(start), name(end)];
  if (first === last) return first;
  // A year that both ends have is shown once.
  const sameYear = !isInstant(start) && start.slice(0, 4) === end.slice(0, 4);
  return `${sameYear ? businessDate(start, "DD/MM") : first} a ${last}`;
}
