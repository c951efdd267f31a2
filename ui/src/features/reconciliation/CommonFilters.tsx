// The filters that several tabs share: the acquirer, and the period of the lists that have days.
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { BUSINESS_ZONE } from "../../format/dates";
import { settlementsStrings as words } from "../../strings/pt-BR.settlements";
import { choices, type ReconciliationFilters } from "./filters";

export function ProviderFilter({ filters }: { filters: ReconciliationFilters }) {
  return (
    <FilterSelect
      label={words.provider}
      placeholder={words.allProviders}
      options={choices.provider}
      value={filters.provider}
      onChange={(provider) => filters.change({ provider })}
    />
  );
}

export function CommonFilters({ filters }: { filters: ReconciliationFilters }) {
  return (
    <>
      <ProviderFilter filters={filters} />
      <DateRange value={filters.period} onChange={filters.changePeriod} zone={BUSINESS_ZONE} />
    </>
  );
}
