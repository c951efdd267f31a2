// Installments that were due before today and are still open, by company and day.
import { IconCalendarCheck } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import { useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { OverdueRow } from "../../api/models";
import type { Card } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { useListState } from "../../components/table/listState";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { BusinessCell, balanceTarget } from "./BusinessCell";
import { OperationsList } from "./OperationsList";

const titles = words.columns;
const column = createColumnHelper<Features, OverdueRow>();
const columns = column.columns([
  column.display({
    id: "dueDate",
    header: titles.dueDate,
    enableHiding: false,
    cell: ({ row }) => businessDate(row.original.due_date),
  }),
  column.display({
    id: "business",
    header: titles.business,
    enableHiding: false,
    cell: ({ row }) => <BusinessCell row={row.original} />,
  }),
  column.display({
    id: "installments",
    header: titles.installments,
    meta: { align: "end" },
    cell: ({ row }) => wholeNumber(row.original.installments),
  }),
  column.display({
    id: "net",
    header: titles.net,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.net),
  }),
]);

const card = (day: OverdueRow): Card => ({
  title: day.business_name ?? words.unnamed,
  value: money(day.net),
  note: businessDate(day.due_date),
  badge: words.installmentsCount(day.installments),
});

export function Overdue() {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/operations/receivables", { query: { page, perPage } });
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  return (
    <OperationsList
      name="overdueReceivables"
      words={words.receivables}
      icon={IconCalendarCheck}
      columns={columns}
      list={list}
      read={read}
      rowId={({ due_date, business_id }) => `${due_date}/${business_id}`}
      rowTarget={(day) => (mayOpen ? balanceTarget(day) : undefined)}
      card={card}
    />
  );
}
