// The figures of reports: how each is read from an answer, shown, sorted and compared, and which sales are behind it.
import type { PlatformFees, ReportFigures } from "../../api/models";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import type { reportStrings } from "../../strings/pt-BR.reports";

/** The figures of a row or of a whole report. */
export interface Sums extends ReportFigures {
  platform?: PlatformFees | null | undefined;
}

export type FigureKey = keyof typeof reportStrings.figures;

/** The list of sales behind a figure. */
export interface Behind {
  /** The event of a sale that lies in the period. */
  by: "captured" | "reversed" | "settled";
  status?: "canceled" | "reversed" | "dispute" | "charged_back";
}

/**
 * The figures by which the gateway can sort its lists of companies and terminals. It also sorts by refunded and by
 * reversed, whose sum is one figure here.
 */
export type ServerSort =
  | "name"
  | "count"
  | "gross"
  | "fees"
  | "net"
  | "canceled"
  | "disputed"
  | "charged_back"
  | "settled";

export interface FigureKind {
  /** Null if the figure has no value, such as the average of no sales. */
  of: (sums: Sums) => number | null;
  /** Numbers of sales; all others are amounts in cents. */
  counts?: boolean;
  /** The gateway's name of the sort column. Without one, a list in pages cannot be sorted by the figure. */
  sort?: ServerSort;
  /** Undefined if it has no list of sales. */
  behind?: Behind;
  /** Whether a rise is good or bad news; undefined if neither. */
  better?: "up" | "down";
}

const CAPTURED: Behind = { by: "captured" };
const BAD = { better: "down" } as const;

export const FIGURES: Readonly<Record<FigureKey, FigureKind>> = {
  count: { of: ({ count }) => count, counts: true, sort: "count", behind: CAPTURED, better: "up" },
  gross: { of: ({ gross }) => gross, sort: "gross", behind: CAPTURED, better: "up" },
  // No list of sales has a filter for more than one installment.
  installment_gross: { of: ({ installment_gross }) => installment_gross },
  percentage_fee: { of: ({ percentage_fee }) => percentage_fee, behind: CAPTURED },
  flat_fee: { of: ({ flat_fee }) => flat_fee, behind: CAPTURED },
  percentage_rate: { of: ({ percentage_rate }) => percentage_rate, behind: CAPTURED },
  flat_rate: { of: ({ flat_rate }) => flat_rate, behind: CAPTURED },
  fees: { of: ({ fees }) => fees, sort: "fees", behind: CAPTURED },
  net: { of: ({ net }) => net, sort: "net", behind: CAPTURED, better: "up" },
  ticket: {
    of: ({ gross, count }) => (count === 0 ? null : Math.round(gross / count)),
    behind: CAPTURED,
    better: "up",
  },
  canceled: {
    of: ({ canceled }) => canceled.gross,
    sort: "canceled",
    behind: { by: "reversed", status: "canceled" },
    ...BAD,
  },
  // Lists of sales have one status filter for refunded and reversed sales.
  refunded: {
    of: ({ refunded, reversed }) => refunded.gross + reversed.gross,
    behind: { by: "reversed", status: "reversed" },
    ...BAD,
  },
  disputed: {
    of: ({ disputed }) => disputed.amount,
    sort: "disputed",
    behind: { by: "reversed", status: "dispute" },
    ...BAD,
  },
  charged_back: {
    of: ({ charged_back }) => charged_back.amount,
    sort: "charged_back",
    behind: { by: "reversed", status: "charged_back" },
    ...BAD,
  },
  settled: { of: ({ settled }) => settled.amount, sort: "settled", behind: { by: "settled" }, better: "up" },
  platform_sales: { of: ({ platform }) => platform?.sales ?? null, better: "up" },
  platform_withdrawals: { of: ({ platform }) => platform?.withdrawals ?? null, better: "up" },
  platform_rentals: { of: ({ platform }) => platform?.rentals ?? null, better: "up" },
  platform_write_offs: { of: ({ platform }) => platform?.write_offs ?? null, better: "up" },
  platform_total: { of: ({ platform }) => platform?.total ?? null, better: "up" },
};

export function figureText(figure: FigureKey, sums: Sums): string {
  const { of, counts } = FIGURES[figure];
  const value = of(sums);
  if (value === null) return strings.list.none;
  return counts ? wholeNumber(value) : money(value);
}

export type Direction = "up" | "down" | "level";

export interface Change {
  direction: Direction;
  /** Null if there was nothing before, so that no ratio exists. */
  ratio: number | null;
  tone: "good" | "bad" | "quiet";
}

/** The change of a figure; undefined if there is nothing to compare. */
export function changeOf(figure: FigureKey, now: Sums, before: Sums): Change | undefined {
  const { of, better } = FIGURES[figure];
  const [value, previous] = [of(now), of(before)];
  if (value === null || (value === 0 && !previous)) return undefined;
  const base = previous ?? 0;
  const direction = value > base ? "up" : value < base ? "down" : "level";
  return {
    direction,
    // Divided by the absolute value, so that a rise is positive also from a negative figure: -100 to -50 is +50%.
    ratio: base === 0 ? null : (value - base) / Math.abs(base),
    tone: !better || direction === "level" ? "quiet" : direction === better ? "good" : "bad",
  };
}
