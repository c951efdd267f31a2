// The filters of the lists of payment links, and the gateway's query of them.
import {
  type Chosen,
  choice,
  company,
  given,
  periodIn,
  search,
  sortChoice,
} from "../../components/table/filters";
import type { TimeZone } from "../../format/dates";
import { linksStrings } from "../../strings/pt-BR.links";

const words = linksStrings.list;

export const FILTERS = {
  search: search(words.search, words.searchHint),
  status: choice(linksStrings.columns.status, words.all, linksStrings.statuses),
  period: periodIn(),
  sort: sortChoice(words.sort, "created_at", words.sorts),
};

/** Staff see the links of all companies. */
export const STAFF_FILTERS = {
  business: company(linksStrings.columns.business, words.anyBusiness),
  ...FILTERS,
};

export function linkQuery({ search, status, period, sort }: Chosen<typeof FILTERS>, zone: TimeZone) {
  return { ...given({ search, status }), sort, ...(period && { ...period, time_zone: zone }) };
}
