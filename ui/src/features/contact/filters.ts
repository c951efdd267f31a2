// The filters of staff's list of messages, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { contactStrings } from "../../strings/pt-BR.contact";

export const choices = { state: contactStrings.states };

const parsers = {
  business: parseAsString,
  search: parseAsString.withDefault(""),
  state: parseAsStringLiteral(["new", "answered", "closed"] as const),
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useMessageFilters() {
  const [{ page: _, ...chosen }, set] = useQueryStates(parsers, { history: "push" });
  const { business, search, state } = chosen;
  return {
    ...chosen,
    any: business !== null || search !== "" || state !== null,
    // Replaces the history entry, so that going back undoes the search instead of its last letter.
    changeSearch: (next: string) => set({ search: next || null, page: null }, { history: "replace" }),
    change: (next: Partial<Omit<typeof chosen, "search">>) => set({ ...next, page: null }),
    clear: () => set(null),
    query: {
      ...(business && { business_id: business }),
      ...(search && { search }),
      ...(state && { state }),
    },
  };
}

export type MessageFilters = ReturnType<typeof useMessageFilters>;
