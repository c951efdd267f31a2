// The filters of lists of payment links, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useTimeZone } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { parseAsPeriodEnd } from "../../components/table/listState";
import { linksStrings } from "../../strings/pt-BR.links";

export const choices = { status: linksStrings.statuses, sort: linksStrings.list.sorts };

const parsers = {
  // For staff, who see all companies.
  business: parseAsString,
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["active", "inactive", "expired", "exhausted"] as const),
  sort: parseAsStringLiteral(["created_at", "amount"] as const),
  start: parseAsPeriodEnd,
  end: parseAsPeriodEnd,
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useLinkFilters() {
  const zone = useTimeZone();
  const [{ page: _, start, end, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const { business, search, status, sort } = chosen;
  const period: Period | null = start && end ? { start, end } : null;
  return {
    ...chosen,
    period,
    any: business !== null || search !== "" || status !== null || period !== null,
    // Replaces the history entry, so that going back undoes the search instead of its last letter.
    changeSearch: (next: string) => set({ search: next || null, page: null }, { history: "replace" }),
    change: (next: Partial<Omit<typeof chosen, "search">>) => set({ ...next, page: null }),
    changePeriod: (next: Period | null) =>
      set({ start: next?.start ?? null, end: next?.end ?? null, page: null }),
    clear: () => set(null),
    query: {
      ...(business && { business_id: business }),
      ...(search && { search }),
      ...(status && { status }),
      ...(sort && { sort }),
      ...(period && { ...period, time_zone: zone }),
    },
  };
}

export type LinkFilters = ReturnType<typeof useLinkFilters>;
