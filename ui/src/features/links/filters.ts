// The filters of lists of payment links, kept in the address.
import { parseAsString, parseAsStringLiteral } from "nuqs";
import { useTimeZone } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { useListFilters } from "../../components/table/listFilters";
import { parseAsPeriodBound } from "../../components/table/listState";
import { linksStrings } from "../../strings/pt-BR.links";

export const choices = { status: linksStrings.statuses, sort: linksStrings.list.sorts };

const parsers = {
  // For staff, who see all companies.
  business: parseAsString,
  search: parseAsString.withDefault(""),
  status: parseAsStringLiteral(["active", "inactive", "expired", "exhausted"] as const),
  sort: parseAsStringLiteral(["created_at", "amount"] as const),
  start: parseAsPeriodBound,
  end: parseAsPeriodBound,
};

export function useLinkFilters() {
  const zone = useTimeZone();
  const { chosen, any, change, changeTyped, clear } = useListFilters(parsers);
  const { business, search, status, sort, start, end } = chosen;
  const period: Period | null = start && end ? { start, end } : null;
  return {
    ...chosen,
    period,
    any,
    changeSearch: (next: string) => changeTyped({ search: next || null }),
    change,
    changePeriod: (next: Period | null) => change({ start: next?.start ?? null, end: next?.end ?? null }),
    clear,
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
