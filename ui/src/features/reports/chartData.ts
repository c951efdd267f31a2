// The data of a report's charts: stacked parts over time, or the ranked rows of the table.
import { money } from "../../format/money";
import { partName, shortPartName } from "../../format/parts";
import { reportStrings } from "../../strings/pt-BR.reports";
import { FIGURES, type FigureKey, type Sums } from "./figures";
import { type ReportBody, type ReportRow, sortRows, totalOf } from "./rows";

export interface Series {
  key: string;
  name: string;
}

/** A stacked bar: its parts in cents, in the order of the series. */
export interface StackedBar {
  name: string;
  /** The name on the axis. */
  short: string;
  values: number[];
}

export interface RankedBar {
  name: string;
  value: number;
  /** From 0 to 1: the bar's part of the report's total, or of the positive rows' sum if that is larger. */
  share: number;
}

const amountOf = (figure: FigureKey, sums: Sums) => FIGURES[figure].of(sums) ?? 0;

export const seriesOf = (figures: readonly FigureKey[]): Series[] =>
  figures.map((key) => ({ key, name: reportStrings.figures[key] }));

export function stackedBarsOf(body: ReportBody, figures: readonly FigureKey[]): StackedBar[] {
  return body.periods.map(({ start, end, figures: own, platform_fees }) => ({
    name: partName(body.group, { start, end }),
    short: shortPartName(body.group, { start, end }),
    values: figures.map((figure) => amountOf(figure, { ...own, platform: platform_fees })),
  }));
}

/** The report's amount of a figure. Rows that come in pages are only a part of it. */
export const reportTotal = (body: ReportBody, figure: FigureKey) => amountOf(figure, totalOf(body));

interface BarOptions {
  /** The most rows that have a bar. */
  max: number;
  /** The report's total of the figure. */
  total: number;
  /** Whether one more bar has the sum of the other positive rows. */
  others?: boolean;
}

/** The largest rows as bars, the largest first. */
export function barsOf(
  rows: readonly ReportRow[],
  figure: FigureKey,
  { max, total, others = false }: BarOptions,
): RankedBar[] {
  // The kind of the rows matters only for an order by name.
  const ranked = sortRows(rows, "company", figure, "desc").filter(({ sums }) => amountOf(figure, sums) > 0);
  const sum = (some: readonly ReportRow[]) => some.reduce((all, { sums }) => all + amountOf(figure, sums), 0);
  // Rows below zero lower the total, and a part must not exceed the whole.
  const whole = Math.max(total, sum(ranked));
  const share = (value: number) => value / whole;
  const bars = ranked.slice(0, max).map(({ name, sums }) => {
    const value = amountOf(figure, sums);
    return { name, value, share: share(value) };
  });
  const rest = sum(ranked.slice(max));
  if (others && rest > 0) bars.push({ name: reportStrings.chart.others, value: rest, share: share(rest) });
  return bars;
}

/** Whether a chart of `max` bars leaves positive rows out. */
export function hasMoreBars(rows: readonly ReportRow[], figure: FigureKey, max: number): boolean {
  return rows.filter(({ sums }) => amountOf(figure, sums) > 0).length > max;
}

/** Describes a chart by the total and the largest point. Without points, it is the title alone. */
export function summaryOf(
  title: string,
  points: readonly { name: string; value: number }[],
  total: number,
): string {
  const top = points.reduce<{ name: string; value: number } | undefined>(
    (best, point) => (best && best.value >= point.value ? best : point),
    undefined,
  );
  return top ? reportStrings.chart.summary(title, money(total), money(top.value), top.name) : title;
}
