// The months whose closing account can be chosen.
import { shiftMonth } from "../../format/dates";

const MONTHS = 24;

/** Up to the month that starts at `lastStart`, the latest first. The chosen month is added if they lack it. */
export function closingMonths(lastStart: string, chosen: string): string[] {
  const months = Array.from({ length: MONTHS }, (_, back) => shiftMonth(lastStart, -back).slice(0, 7));
  const isMissing = /^\d{4}-(0[1-9]|1[0-2])$/.test(chosen) && !months.includes(chosen);
  return isMissing ? [...months, chosen] : months;
}
