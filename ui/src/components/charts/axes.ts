// The common parts of charts: margins, grid, an axis of dates, and an axis of round amounts.
import { businessDate } from "../../format/dates";
import { moneyOnAxis } from "../../format/money";
import { moneyTicks } from "./ticks";

export const MARGIN = { top: 8, right: 8, bottom: 0, left: 0 };

export const GRID = { vertical: false, stroke: "var(--line)" };

export const AXIS = { tick: { fill: "var(--text-dim)", fontSize: 12 }, tickLine: false, axisLine: false };

export const DATE_AXIS = {
  ...AXIS,
  dataKey: "date",
  tickFormatter: (date: string) => businessDate(date, "DD/MM"),
  minTickGap: 28,
  tickMargin: 8,
};

/** The axis of `amounts`, in cents. */
export function moneyAxis(amounts: readonly number[]) {
  const ticks = moneyTicks(amounts);
  const domain: [number, number] = [ticks[0] ?? 0, ticks.at(-1) ?? 0];
  return { ...AXIS, tickFormatter: moneyOnAxis, width: 78, ticks, domain };
}
