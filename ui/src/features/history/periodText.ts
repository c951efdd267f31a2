// A period of a proof as text. Its end is the first instant after it.
import { BUSINESS_ZONE, businessDate, dateIn, instant } from "../../format/dates";

interface Span {
  from: string;
  to: string;
}

const isMidnight = (at: string) => instant(at, BUSINESS_ZONE, "HH:mm:ss.SSS") === "00:00:00.000";

/** "01/10/2026 a 31/10/2026" for whole business days; otherwise both instants as `shown` writes them. */
export function periodText({ from, to }: Span, shown: (at: string) => string): string {
  if (!isMidnight(from) || !isMidnight(to) || from === to) return `${shown(from)} a ${shown(to)}`;
  const first = dateIn(BUSINESS_ZONE, new Date(from));
  const last = dateIn(BUSINESS_ZONE, new Date(to), -1);
  return `${businessDate(first)} a ${businessDate(last)}`;
}
