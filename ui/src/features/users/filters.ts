// The filters of a list of users, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { strings } from "../../strings/pt-BR";

export const activeChoices = strings.activeStatus as Record<"0" | "1", string>;

const parsers = {
  search: parseAsString.withDefault(""),
  group: parseAsString,
  active: parseAsStringLiteral(["1", "0"] as const),
  // For staff, who see the users of all companies.
  business: parseAsString,
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

/** `groups`: the valid group codes; any other code in the address is ignored. */
export function useUserFilters(groups: Readonly<Record<string, string>>) {
  const [{ search, active, business, ...inAddress }, set] = useQueryStates(parsers, { history: "push" });
  const group = inAddress.group !== null && Object.hasOwn(groups, inAddress.group) ? inAddress.group : null;
  return {
    search,
    group,
    active,
    business,
    any: search !== "" || group !== null || active !== null || business !== null,
    // Replaces the history entry, so that going back leaves the list and does not undo single letters of the search.
    changeSearch: (next: string) => set({ search: next || null, page: null }, { history: "replace" }),
    change: (next: { group?: string | null; active?: typeof active; business?: string | null }) =>
      set({ ...next, page: null }),
    clear: () => set(null),
    query: {
      ...(search && { search }),
      ...(group && { roles: group }),
      ...(active && { active: Number(active) }),
    },
  };
}

export type UserFilters = ReturnType<typeof useUserFilters>;
