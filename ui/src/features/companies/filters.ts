// The filters of the list of companies, kept in the address.
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useListFilters } from "../../components/table/listFilters";

const parsers = {
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["pending", "enabled", "denied", "deleted"] as const),
  type: parseAsStringLiteral(["PF", "PJ"] as const),
  sort: parseAsStringLiteral(["created_at", "name"] as const),
};

export function useCompanyFilters() {
  const { chosen, changeTyped, ...filters } = useListFilters(parsers);
  const { search, status, type, sort } = chosen;
  return {
    ...filters,
    ...chosen,
    changeSearch: (next: string) => changeTyped({ search: next || null }),
    query: {
      ...(search && { search }),
      ...(status && { status }),
      ...(type && { type }),
      ...(sort && { sort }),
    },
  };
}

export type CompanyFilters = ReturnType<typeof useCompanyFilters>;
