// The filters of a report, kept in the address, and the gateway's query.
import { parseAsStringLiteral } from "nuqs";
import { keysOf, saleParsers, saleQuery } from "../../components/saleFilters";
import { useListFilters } from "../../components/table/listFilters";
import { businessToday } from "../../format/dates";
import { GROUPS, type Group, type Span } from "../../format/parts";
import { reportStrings } from "../../strings/pt-BR.reports";
import { groupAfter } from "./period";
import { NAME, type RowKind, type SortKey } from "./rows";

const SORTS = [NAME, ...keysOf(reportStrings.figures)] as const satisfies readonly SortKey[];

const parsers = {
  ...saleParsers,
  group: parseAsStringLiteral(GROUPS),
  /** The kind of the rows; the default depends on the report. */
  rows: parseAsStringLiteral(keysOf(reportStrings.rows.kinds)),
  sort: parseAsStringLiteral(SORTS),
};

const FILTERS = ["solution", "paymentType", "brand", "terminal", "link", "business"] as const;

export function useReportFilters() {
  const { chosen, change, changeTyped } = useListFilters(parsers);
  const { start, end, group, solution, paymentType, brand, terminal, link, business } = chosen;
  const period: Span | null = start && end ? { start, end } : null;
  return {
    ...chosen,
    period,
    /** The number of chosen filters, without the period and the group. */
    count: FILTERS.filter((filter) => chosen[filter] !== null).length,
    any: FILTERS.some((filter) => chosen[filter] !== null) || period !== null || group !== null,
    change,
    changeLink: (next: string) => changeTyped({ link: next.toUpperCase() || null }),
    changePeriod: (next: Span | null, usual: Group) =>
      change({
        start: next?.start ?? null,
        end: next?.end ?? null,
        group: groupAfter(next, group, usual, businessToday(new Date())),
      }),
    changeRows: (rows: RowKind | null) => change({ rows, sort: null }),
    clear: () => change({ ...cleared, start: null, end: null, group: null }),
    query: { ...saleQuery(chosen), ...(group && { group }), ...period },
    /** The filters alone, for the sales behind a figure. */
    scope: { solution, paymentType, brand, terminal, link, business },
  };
}

const cleared = Object.fromEntries(FILTERS.map((filter) => [filter, null]));

export type ReportFilters = ReturnType<typeof useReportFilters>;
