// The filters of a report. The gateway's error about a filter is shown at its field.
import { Button, Select } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { useState } from "react";
import type { Failure } from "../../api/failure";
import { panel } from "../../api/panel";
import { businessNow } from "../../api/serverClock";
import { BusinessSelect, type NamedBusiness } from "../../components/BusinessSelect";
import { useIsNarrow } from "../../components/breakpoints";
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { SearchField } from "../../components/SearchField";
import { saleChoices } from "../../components/saleFilters";
import { TerminalSelect, useSeesMachines } from "../../components/TerminalSelect";
import { BUSINESS_ZONE, businessToday } from "../../format/dates";
import { GROUPS, type Group } from "../../format/parts";
import { reportStrings } from "../../strings/pt-BR.reports";
import { type ReportDefinition, viewedReport } from "./definitions";
import type { ReportFilters } from "./filters";
import { allowedGroups } from "./period";
import styles from "./Reports.module.css";
import { SavedViewsMenu } from "./SavedViewsMenu";

const words = reportStrings.filters;

interface FilterBarProps {
  definition: ReportDefinition;
  filters: ReportFilters;
  company: NamedBusiness | undefined;
  failure: Failure | undefined;
}

export function FilterBar({ definition, filters, company, failure }: FilterBarProps) {
  const narrow = useIsNarrow();
  const [open, setOpen] = useState(filters.count > 0);
  const errors = failure?.fields ?? {};
  const group = filters.group ?? definition.group;
  return (
    <section className={styles.filters} aria-label={words.region}>
      {panel === "admin" && (
        <CompanyFilter {...{ definition, filters, company }} error={errors.business_id} />
      )}
      <DateRange
        value={filters.period}
        onChange={(period) => filters.changePeriod(period, definition.group)}
        zone={BUSINESS_ZONE}
        placeholder={words.usualPeriod[group]}
        error={errors.start ?? errors.end}
      />
      <GroupSelect filters={filters} usual={definition.group} error={errors.group} />
      {narrow && (
        <Button
          variant="default"
          size="sm"
          className={styles.more}
          leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? words.less : words.more(filters.count)}
        </Button>
      )}
      {(open || !narrow) && <SaleFilters {...{ definition, filters, company, errors }} />}
      <SavedViewsMenu viewed={viewedReport(definition)} />
    </section>
  );
}

function CompanyFilter(props: Omit<FilterBarProps, "failure"> & { error: string | undefined }) {
  const { definition, filters, company, error } = props;
  return (
    <BusinessSelect
      label={words.company}
      placeholder={definition.needsCompany ? words.chooseCompany : words.anyCompany}
      size="sm"
      value={filters.business}
      // A machine belongs to one company, so another company clears the filter.
      onChange={(business) => filters.change({ business, terminal: null })}
      chosen={company}
      error={error}
    />
  );
}

interface GroupSelectProps {
  filters: ReportFilters;
  usual: Group;
  error: string | undefined;
}

/** Groups that do not fit the period are disabled. */
function GroupSelect({ filters, usual, error }: GroupSelectProps) {
  const allowed = allowedGroups(filters.period, businessToday(businessNow()));
  return (
    <Select
      label={words.group}
      data={GROUPS.map((group) => ({
        value: group,
        label: words.groups[group],
        disabled: !allowed.includes(group),
      }))}
      value={filters.group ?? usual}
      onChange={(group) => filters.change({ group: group === usual ? null : group })}
      error={error}
      size="sm"
      comboboxProps={{ shadow: "md" }}
    />
  );
}

interface SaleFiltersProps extends Omit<FilterBarProps, "failure"> {
  errors: Readonly<Record<string, string>>;
}

function SaleFilters({ definition, filters, company, errors }: SaleFiltersProps) {
  const seesMachines = useSeesMachines();
  return (
    <>
      {!definition.machinesOnly && (
        <FilterSelect
          label={words.solution}
          placeholder={words.allFeminine}
          options={saleChoices.solution}
          value={filters.solution}
          onChange={(solution) => filters.change({ solution })}
          error={errors.solution}
        />
      )}
      <FilterSelect
        label={words.paymentType}
        placeholder={words.all}
        options={saleChoices.paymentType}
        value={filters.paymentType}
        onChange={(paymentType) => filters.change({ paymentType })}
        error={errors.paymentType}
      />
      <FilterSelect
        label={words.brand}
        placeholder={words.allFeminine}
        options={saleChoices.brand}
        value={filters.brand}
        onChange={(brand) => filters.change({ brand })}
        error={errors.brand}
      />
      {company && seesMachines && (
        <TerminalSelect
          businessId={company.id}
          value={filters.terminal}
          onChange={(terminal) => filters.change({ terminal })}
          error={errors.terminal}
        />
      )}
      {!definition.machinesOnly && (
        <SearchField
          label={words.link}
          placeholder={words.linkPlaceholder}
          value={filters.link ?? ""}
          onSearch={filters.changeLink}
          error={errors.payment_link}
        />
      )}
    </>
  );
}
