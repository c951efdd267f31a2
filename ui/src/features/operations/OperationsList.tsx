// One of the lists on the page of operations. These lists have no filters.
import type { RowData } from "@tanstack/react-table";
import type { ComponentProps } from "react";
import { DataTable, type DataTableProps } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";

const NO_FILTERS = { any: false, clear: () => undefined };

interface OperationsListProps<Row extends RowData> extends Omit<DataTableProps<Row>, "label" | "empty"> {
  words: { table: string; emptyTitle: string; empty: string };
  icon: ComponentProps<typeof EmptyList>["icon"];
}

export function OperationsList<Row extends RowData>({ words, icon, ...table }: OperationsListProps<Row>) {
  const empty = <EmptyList filters={NO_FILTERS} icon={icon} words={words} />;
  return <DataTable {...table} label={words.table} empty={empty} />;
}
