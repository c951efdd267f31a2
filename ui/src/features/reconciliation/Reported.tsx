// The payments that acquirers report.
import { IconReceipt } from "@tabler/icons-react";
import { DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { COMMON, commonQuery, FILTERS } from "./filters";
import { REPORTED_HIDDEN_AT_FIRST, reportedCard, reportedColumns } from "./reportedColumns";

const words = settlementsStrings.reported;

export function Reported() {
  const list = useList("/admin/settlements/receivables", {
    filters: FILTERS,
    shown: COMMON,
    query: commonQuery,
    file: words.file,
  });
  return (
    <DataTable
      name="acquirerReceivables"
      label={words.table}
      columns={reportedColumns}
      hiddenAtFirst={REPORTED_HIDDEN_AT_FIRST}
      list={list}
      icon={IconReceipt}
      words={words}
      rowId={({ id }) => String(id)}
      card={reportedCard}
    />
  );
}
