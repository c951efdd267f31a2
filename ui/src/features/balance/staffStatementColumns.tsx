// The statement's columns for staff, whose lines lead to the events that made them.
import type { AdminBalanceMovement } from "../../api/models";
import type { RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { strings } from "../../strings/pt-BR";
import type { Axis } from "./asOf";
import { searchOfEvent } from "./eventAddress";
import { columnsOf } from "./statementColumns";

const words = strings.statement;

/** Staff are led to the event that made the line; the list stays as it is behind it. */
export function eventOfLine(line: AdminBalanceMovement): RowTarget {
  return { to: { search: searchOfEvent(line.event_id) }, label: words.openEvent(String(line.id)) };
}

function staffColumnsOf(axis: Axis) {
  const staff = columnsOf<AdminBalanceMovement>(axis);
  return [
    ...staff.facts,
    staff.column.display({
      id: "event",
      header: words.columns.event,
      enableSorting: false,
      cell: ({ row }) => <RowLink target={eventOfLine(row.original)}>{words.seeEvent}</RowLink>,
    }),
    ...staff.amounts,
  ];
}

export const staffStatementColumns = {
  effective: staffColumnsOf("effective"),
  recorded: staffColumnsOf("recorded"),
};
