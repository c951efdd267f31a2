// The schedule by receivable unit, as registrars know it: holder, acquirer, brand, payment type and due date.
import { useBusiness } from "../../api/session";
import { DataTable } from "../../components/table/DataTable";
import { useList, useListState } from "../../components/table/listState";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { SchedulePeriod } from "./Days";
import type { ScheduleFilters } from "./filters";
import styles from "./Receivables.module.css";
import { NothingDue } from "./ScheduleMonth";
import { unitCard, unitColumns, unitKey, unitTarget } from "./unitColumns";

const words = receivablesStrings.receivables.units;

export function Units({ filters }: { filters: ScheduleFilters }) {
  const business = useBusiness();
  const list = useListState();
  const query = { business_id: business.id, ...filters.period };
  return (
    <>
      <p className={styles.hint}>{words.hint}</p>
      <DataTable
        name="receivable-units"
        label={words.table}
        columns={unitColumns}
        list={list}
        {...useList("/receivables/units", { query }, list, words.file, business.name)}
        filters={<SchedulePeriod filters={filters} />}
        empty={<NothingDue />}
        rowId={unitKey}
        rowTarget={unitTarget}
        card={unitCard}
      />
    </>
  );
}
