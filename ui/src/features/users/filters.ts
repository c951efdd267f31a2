// The filters of a list of users, kept in the address.
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useListFilters } from "../../components/table/listFilters";
import { strings } from "../../strings/pt-BR";

export const activeChoices = strings.activeStatus as Record<"0" | "1", string>;

const parsers = {
  search: parseAsString.withDefault(""),
  group: parseAsString,
  active: parseAsStringLiteral(["1", "0"] as const),
  // For staff, who see the users of all companies.
  business: parseAsString,
};

/** `groups` has the valid group codes and their names. Any other code in the address is ignored. */
export function useUserFilters(groups: Readonly<Record<string, string>>) {
  const { chosen, changeTyped, ...filters } = useListFilters(parsers);
  const { search, active } = chosen;
  const group = chosen.group !== null && Object.hasOwn(groups, chosen.group) ? chosen.group : null;
  return {
    ...filters,
    ...chosen,
    group,
    changeSearch: (next: string) => changeTyped({ search: next || null }),
    query: {
      ...(search && { search }),
      ...(group && { roles: group }),
      ...(active && { active: Number(active) }),
    },
  };
}

export type UserFilters = ReturnType<typeof useUserFilters>;
