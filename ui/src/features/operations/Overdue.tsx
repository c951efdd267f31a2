// Installments that were due before today and are still open, by company and day.
import { IconCalendarCheck } from "@tabler/icons-react";
import { useMayOpen } from "../../api/access";
import type { OverdueRow } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { BusinessCell, balanceTarget } from "./BusinessCell";

const titles = words.columns;
const column = columnsFor<OverdueRow>();
const columns = [
  column.shown("dueDate", titles.dueDate, (row) => businessDate(row.due_date), { fixed: true }),
  column.shown("business", titles.business, (row) => <BusinessCell row={row} />, { fixed: true }),
  column.shown("installments", titles.installments, (row) => wholeNumber(row.installments), { align: "end" }),
  column.shown("net", titles.net, (row) => money(row.net), { align: "end" }),
];

const card = (day: OverdueRow): Card => ({
  title: day.business_name ?? words.unnamed,
  value: money(day.net),
  note: businessDate(day.due_date),
  badge: words.installmentsCount(day.installments),
});

export function Overdue() {
  const list = useList("/admin/operations/receivables");
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  return (
    <DataTable
      name="overdueReceivables"
      label={words.receivables.table}
      words={words.receivables}
      icon={IconCalendarCheck}
      columns={columns}
      list={list}
      rowId={({ due_date, business_id }) => `${due_date}/${business_id}`}
      rowTarget={(day) => (mayOpen ? balanceTarget(day) : undefined)}
      card={card}
    />
  );
}
