// The filters of staff's list of messages, kept in the address.
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useListFilters } from "../../components/table/listFilters";
import { contactStrings } from "../../strings/pt-BR.contact";

export const choices = { state: contactStrings.states };

const parsers = {
  business: parseAsString,
  search: parseAsString.withDefault(""),
  state: parseAsStringLiteral(["new", "answered", "closed"] as const),
};

export function useMessageFilters() {
  const { chosen, changeTyped, ...filters } = useListFilters(parsers);
  const { business, search, state } = chosen;
  return {
    ...filters,
    ...chosen,
    changeSearch: (next: string) => changeTyped({ search: next || null }),
    query: {
      ...(business && { business_id: business }),
      ...(search && { search }),
      ...(state && { state }),
    },
  };
}

export type MessageFilters = ReturnType<typeof useMessageFilters>;
