// The rows of a report's table: its periods, or its sums by another attribute.
import type {
  CompanyFigures,
  CompanyPlatformFees,
  PageMeta,
  PlatformFees,
  Report,
  ReportBreakdown,
  TerminalFigures,
} from "../../api/models";
import { taxId } from "../../format/documents";
import { partName } from "../../format/parts";
import { brandName, paymentTypeName, solutionName } from "../../format/payment";
import { reportStrings } from "../../strings/pt-BR.reports";
import type { Scope } from "./drillDown";
import { FIGURES, type FigureKey, type Sums } from "./figures";

/** The answer of a report. All answers have the fields of `Report`; the others are optional. */
export interface ReportBody extends Report, Partial<ReportBreakdown> {
  platform_fees?: PlatformFees;
  previous_platform_fees?: PlatformFees;
  data?: readonly object[];
  meta?: PageMeta;
  idle_count?: number;
}

export type RowKind = keyof typeof reportStrings.rows.kinds;

export interface ReportRow {
  id: string;
  name: string;
  note?: string | undefined;
  sums: Sums;
  previous?: Sums | undefined;
  /** The period or filter of the list of sales behind this row; null if that list has no such filter. */
  scope: Partial<Scope> | null;
}

const words = reportStrings.rows;

/** The rows that the gateway orders and pages. */
export const isPaged = (kind: RowKind) => kind === "company" || kind === "terminal";

const rowsOfKind: Readonly<Record<RowKind, (body: ReportBody) => ReportRow[]>> = {
  period: ({ group, periods }) =>
    periods.map(({ start, end, figures, previous, platform_fees, previous_platform_fees }) => ({
      id: start,
      name: partName(group, { start, end }),
      sums: { ...figures, platform: platform_fees },
      previous: { ...previous, platform: previous_platform_fees },
      scope: { start, end },
    })),
  solution: ({ by_solution = [] }) =>
    by_solution.map(({ solution, figures }) => ({
      id: String(solution),
      name: solutionName(solution),
      sums: figures,
      scope: { solution: String(solution) },
    })),
  paymentType: ({ by_payment_type = [] }) =>
    by_payment_type.map(({ payment_type, figures }) => ({
      id: payment_type,
      name: paymentTypeName(payment_type),
      sums: figures,
      scope: { paymentType: payment_type },
    })),
  brand: ({ by_brand = [] }) =>
    by_brand.map(({ card_brand, figures }) => ({
      id: card_brand ?? "",
      name: card_brand ? brandName(card_brand) : words.noCard,
      sums: figures,
      scope: card_brand ? { brand: card_brand } : null,
    })),
  installments: ({ by_installments = [] }) =>
    by_installments.map(({ installments, figures }) => ({
      id: String(installments),
      name: words.installments(installments),
      sums: figures,
      // The list of sales has no such filter.
      scope: null,
    })),
  company: ({ data = [] }) =>
    (data as readonly (CompanyFigures & Partial<CompanyPlatformFees>)[]).map(
      ({ business, figures, previous, platform_fees, previous_platform_fees }) => ({
        id: business.id,
        name: business.name,
        note: business.document && taxId(business.document),
        sums: { ...figures, platform: platform_fees },
        previous: { ...previous, platform: previous_platform_fees },
        scope: { business: business.id },
      }),
    ),
  terminal: ({ data = [] }) =>
    (data as readonly TerminalFigures[]).map(({ terminal, idle, figures, previous }) => ({
      id: terminal.id,
      name: terminal.name ?? terminal.serial_number,
      note: [
        ...(terminal.name ? [terminal.serial_number] : []),
        ...(terminal.current ? [] : [words.former]),
        ...(idle ? [words.idle] : []),
      ].join(" · "),
      sums: figures,
      previous,
      scope: { terminal: terminal.id },
    })),
};

export const rowsOf = (body: ReportBody, kind: RowKind): ReportRow[] => rowsOfKind[kind](body);

/** The sums of the whole report. */
export const totalOf = ({ totals, platform_fees }: ReportBody): Sums => ({
  ...totals,
  platform: platform_fees,
});
export const previousOf = ({ previous_totals, previous_platform_fees }: ReportBody): Sums => ({
  ...previous_totals,
  platform: previous_platform_fees,
});

/** The column of the rows' names. */
export const NAME = "name";
export type SortKey = FigureKey | typeof NAME;

/**
 * The column by which the rows are sorted: the chosen one, else the name of a period, or the report's `ranked` figure.
 * If the gateway cannot sort paged rows by the figure, they are sorted by gross.
 */
export function sortOf(kind: RowKind, chosen: SortKey | null, ranked: FigureKey): SortKey {
  const wanted = chosen ?? (kind === "period" ? NAME : ranked);
  return isPaged(kind) && wanted !== NAME && !FIGURES[wanted].sort ? "gross" : wanted;
}

/** The rows sorted by `sort`. By name, periods are sorted by their start, and other rows alphabetically. */
export function sortRows(
  rows: readonly ReportRow[],
  kind: RowKind,
  sort: SortKey,
  order: "asc" | "desc",
): ReportRow[] {
  const value = (row: ReportRow) => (sort === NAME ? 0 : (FIGURES[sort].of(row.sums) ?? -Infinity));
  const compare = (one: ReportRow, other: ReportRow) =>
    sort !== NAME
      ? value(one) - value(other)
      : kind === "period"
        ? one.id.localeCompare(other.id)
        : one.name.localeCompare(other.name, "pt-BR", { numeric: true });
  const ascending = rows.toSorted(compare);
  return order === "asc" ? ascending : ascending.reverse();
}
