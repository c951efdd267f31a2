// The filters of the list of companies, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";

const parsers = {
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["pending", "enabled", "denied", "deleted"] as const),
  type: parseAsStringLiteral(["PF", "PJ"] as const),
  sort: parseAsStringLiteral(["created_at", "name"] as const),
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useCompanyFilters() {
  const [{ search, status, type, sort }, set] = useQueryStates(parsers, { history: "push" });
  return {
    search,
    status,
    type,
    sort,
    any: search !== "" || status !== null || type !== null,
    // Replaces the history entry, so that going back leaves the list and does not undo single letters of the search.
    changeSearch: (next: string) => set({ search: next || null, page: null }, { history: "replace" }),
    change: (next: { status?: typeof status; type?: typeof type; sort?: typeof sort }) =>
      set({ ...next, page: null }),
    clear: () => set(null),
    query: {
      ...(search && { search }),
      ...(status && { status }),
      ...(type && { type }),
      ...(sort && { sort }),
    },
  };
}

export type CompanyFilters = ReturnType<typeof useCompanyFilters>;
