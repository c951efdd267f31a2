// The filters of a list of sales: their keys in the address, and the gateway's query.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTimeZone } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { keysOf, saleChoices, saleParsers, saleQuery } from "../../components/saleFilters";
import { salesStrings } from "../../strings/pt-BR.sales";
import { statusQuery } from "./statusQuery";

export const choices = {
  ...saleChoices,
  status: salesStrings.sales.statusGroups,
  /** The event of a sale that the period restricts. Reports use it in links to the sales behind their figures. */
  by: salesStrings.sales.by,
};

const parsers = {
  ...saleParsers,
  status: parseAsStringLiteral(keysOf(choices.status)),
  by: parseAsStringLiteral(keysOf(choices.by)),
  // The zone of the period's days. If it is missing, the user's zone counts.
  time_zone: parseAsString,
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useSaleFilters() {
  const userZone = useTimeZone();
  const [{ page: _, start, end, time_zone, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const period: Period | null = start && end ? { start, end } : null;
  const zone = time_zone ?? userZone;
  const change = (next: Partial<typeof chosen>) => set({ ...next, page: null });
  return {
    ...chosen,
    period,
    zone,
    any: Object.values(chosen).some((value) => value !== null) || period !== null,
    change,
    /** For a typed code: replaces the history entry, so that going back does not undo single letters. */
    changeLink: (next: string) =>
      set({ link: next.toUpperCase() || null, page: null }, { history: "replace" }),
    changePeriod: (next: Period | null) =>
      set({ start: next?.start ?? null, end: next?.end ?? null, page: null }),
    clear: () => set(null),
    query: {
      ...saleQuery(chosen),
      ...(chosen.status && { status: statusQuery(chosen.by, chosen.status) }),
      ...(chosen.by && { by: chosen.by }),
      ...(period && { ...period, time_zone: zone }),
    },
  };
}

export type SaleFilters = ReturnType<typeof useSaleFilters>;
