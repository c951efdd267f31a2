// The statement's columns for staff. Each line links to its event.
import type { AdminBalanceMovement } from "../../api/models";
import type { RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
import { RowLink } from "../../components/table/RowLink";
import { balanceStrings } from "../../strings/pt-BR.balance";
import type { Axis } from "./asOf";
import { columnsOf } from "./statementColumns";

const words = balanceStrings.statement;

/** The event of a line, opened over the list. */
export function eventOfLine(line: AdminBalanceMovement): RowTarget {
  return { to: { search: searchOpening("event", line.event_id) }, label: words.openEvent(String(line.id)) };
}

function staffColumnsOf(axis: Axis) {
  const staff = columnsOf<AdminBalanceMovement>(axis);
  return [
    ...staff.facts,
    staff.column.shown("event", words.columns.event, (row) => (
      <RowLink target={eventOfLine(row)}>{words.seeEvent}</RowLink>
    )),
    ...staff.amounts,
  ];
}

export const staffStatementColumns = {
  effective: staffColumnsOf("effective"),
  recorded: staffColumnsOf("recorded"),
};
