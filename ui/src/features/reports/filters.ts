// The filters of a report, kept in the address, and the gateway's query.
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { businessNow } from "../../api/serverClock";
import { keysOf, saleParsers, saleQuery } from "../../components/saleFilters";
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
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

const FILTERS = ["solution", "paymentType", "brand", "terminal", "link", "business"] as const;

export function useReportFilters() {
  const [{ page: _, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const change = (next: Partial<typeof chosen>) => void set({ ...next, page: null });
  const { start, end, group, solution, paymentType, brand, terminal, link, business } = chosen;
  const period: Span | null = start && end ? { start, end } : null;
  return {
    ...chosen,
    period,
    /** The number of chosen filters, without the period and the group. */
    count: FILTERS.filter((filter) => chosen[filter] !== null).length,
    any: FILTERS.some((filter) => chosen[filter] !== null) || period !== null || group !== null,
    change,
    changeLink: (next: string) =>
      void set({ link: next.toUpperCase() || null, page: null }, { history: "replace" }),
    changePeriod: (next: Span | null, usual: Group) =>
      change({
        start: next?.start ?? null,
        end: next?.end ?? null,
        group: groupAfter(next, group, usual, businessToday(businessNow())),
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
