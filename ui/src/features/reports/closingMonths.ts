// The months whose closing the user can choose.
import { shiftMonth } from "../../format/dates";

const MONTHS = 24;

/**
 * The months up to the one that starts at `lastStart`, the latest first. A chosen month that is not among them is added
 * at the end.
 */
export function closingMonths(lastStart: string, chosen: string): string[] {
  const months = Array.from({ length: MONTHS }, (_, back) => shiftMonth(lastStart, -back).slice(0, 7));
  const isMissing = /^\d{4}-(0[1-9]|1[0-2])$/.test(chosen) && !months.includes(chosen);
  return isMissing ? [...months, chosen] : months;
}
