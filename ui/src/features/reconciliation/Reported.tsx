// The payments that acquirers report.
import { IconReceipt } from "@tabler/icons-react";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { CommonFilters } from "./CommonFilters";
import type { ReconciliationFilters } from "./filters";
import { REPORTED_HIDDEN_AT_FIRST, reportedCard, reportedColumns } from "./reportedColumns";

const words = settlementsStrings.reported;

export function Reported({ filters }: { filters: ReconciliationFilters }) {
  const list = useListState();
  const { read, download } = useList(
    "/admin/settlements/receivables",
    { query: filters.commonQuery },
    list,
    words.file,
  );
  return (
    <DataTable
      name="acquirerReceivables"
      label={words.table}
      columns={reportedColumns}
      hiddenAtFirst={REPORTED_HIDDEN_AT_FIRST}
      list={list}
      read={read}
      filters={<CommonFilters filters={filters} />}
      empty={
        <EmptyList
          filters={{ any: filters.anyCommonFilter, clear: filters.clear }}
          icon={IconReceipt}
          words={words}
        />
      }
      rowId={({ id }) => String(id)}
      card={reportedCard}
      download={download}
    />
  );
}
