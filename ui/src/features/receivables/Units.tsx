// The agenda by unit, the way that it is registered: holder, acquirer, brand, product and date.
import { useApi, useDownload } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { DataTable } from "../../components/table/DataTable";
import { useListState } from "../../components/table/listState";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { AgendaPeriod } from "./Days";
import type { AgendaFilters } from "./filters";
import { NothingDue } from "./Month";
import styles from "./Receivables.module.css";
import { unitCard, unitColumns, unitKey, unitTarget } from "./unitColumns";

const words = receivablesStrings.receivables.units;

export function Units({ filters }: { filters: AgendaFilters }) {
  const business = useBusiness();
  const list = useListState();
  const { page, perPage } = list;
  const query = { business_id: business.id, ...filters.period };
  const units = useApi("/receivables/units", { query: { ...query, page, perPage } });
  const download = useDownload("/receivables/units", { query }, words.file, business.name);
  return (
    <>
      <p className={styles.hint}>{words.hint}</p>
      <DataTable
        name="receivable-units"
        label={words.table}
        columns={unitColumns}
        list={list}
        page={units.data}
        stale={units.isLoading && units.data !== undefined}
        failure={units.error}
        onRetry={() => void units.mutate()}
        filters={<AgendaPeriod filters={filters} />}
        empty={<NothingDue />}
        rowId={unitKey}
        rowTarget={unitTarget}
        card={unitCard}
        download={download}
      />
    </>
  );
}
