// The statement of a balance as a table. The page reads the lines and passes them in.
import { IconReceipt } from "@tabler/icons-react";
import type { BalanceMovement } from "../../api/models";
import shared from "../../components/Shared.module.css";
import { DataTable, type RowTarget } from "../../components/table/DataTable";
import type { Columns } from "../../components/table/features";
import type { TableList } from "../../components/table/useList";
import { balanceStrings } from "../../strings/pt-BR.balance";
import type { Axis } from "./asOf";
import { HIDDEN_AT_FIRST, ORDER_COLUMN } from "./axisColumns";
import { statementCards } from "./statementColumns";

const words = balanceStrings.statement;

interface StatementProps<Line extends BalanceMovement> {
  name: string;
  /** The axis of time that orders the lines and their running balance. Only staff can choose it. */
  axis?: Axis;
  columns: Columns<Line>;
  lineTarget: (line: Line) => RowTarget | undefined;
  list: TableList<Line>;
}

export function Statement<Line extends BalanceMovement>(props: StatementProps<Line>) {
  const { axis = "effective" } = props;
  return (
    <>
      <p className={shared.aside}>{props.axis ? words.axes[props.axis] : words.sellerHint}</p>
      <DataTable
        // Each axis has its own columns.
        key={axis}
        name={props.name}
        label={words.table}
        columns={props.columns}
        hiddenAtFirst={HIDDEN_AT_FIRST[axis]}
        orderColumn={ORDER_COLUMN[axis]}
        list={props.list}
        icon={IconReceipt}
        words={words}
        rowId={(line) => String(line.id)}
        rowTarget={props.lineTarget}
        card={statementCards[axis]}
      />
    </>
  );
}
