// The filters of the lists of payment links. Staff have a filter by company before the others.
import type { ReactNode } from "react";
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { SearchField } from "../../components/SearchField";
import { linksStrings } from "../../strings/pt-BR.links";
import { choices, type LinkFilters as Filters } from "./filters";

const words = linksStrings.list;

export function LinkFilters({ filters, leadingFilter }: { filters: Filters; leadingFilter?: ReactNode }) {
  return (
    <>
      {leadingFilter}
      <SearchField
        label={words.search}
        placeholder={words.searchHint}
        value={filters.search}
        onSearch={filters.changeSearch}
      />
      <FilterSelect
        label={linksStrings.columns.status}
        placeholder={words.all}
        options={choices.status}
        value={filters.status}
        onChange={(status) => filters.change({ status })}
      />
      <DateRange value={filters.period} onChange={filters.changePeriod} />
      <FilterSelect
        label={words.sort}
        placeholder={words.sorts.created_at}
        options={choices.sort}
        value={filters.sort}
        onChange={(sort) => filters.change({ sort })}
      />
    </>
  );
}
