// The schedule by receivable unit, as registrars know it: holder, acquirer, brand, payment type and due date.
import { IconCalendarOff } from "@tabler/icons-react";
import { useBusiness } from "../../api/session";
import shared from "../../components/Shared.module.css";
import { DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { SchedulePeriod } from "./Days";
import type { ScheduleFilters } from "./filters";
import { unitCard, unitColumns, unitKey, unitTarget } from "./unitColumns";

const words = receivablesStrings.receivables.units;

export function Units({ filters }: { filters: ScheduleFilters }) {
  const business = useBusiness();
  const list = useList("/receivables/units", {
    query: () => ({ business_id: business.id, ...filters.period }),
    file: words.file,
    company: business.name,
  });
  return (
    <>
      <p className={shared.aside}>{words.hint}</p>
      <DataTable
        name="receivable-units"
        label={words.table}
        columns={unitColumns}
        list={list}
        afterFilters={<SchedulePeriod filters={filters} />}
        icon={IconCalendarOff}
        words={receivablesStrings.receivables}
        rowId={unitKey}
        rowTarget={unitTarget}
        card={unitCard}
      />
    </>
  );
}
