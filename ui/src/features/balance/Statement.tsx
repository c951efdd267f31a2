// The statement of a balance as a table. The page reads the lines and passes them in.
import { IconReceipt } from "@tabler/icons-react";
import type { Download } from "../../api/download";
import type { Paged, Read } from "../../api/hooks";
import type { BalanceMovement } from "../../api/models";
import { DateRange } from "../../components/DateRange";
import { DataTable, type RowTarget } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Columns } from "../../components/table/features";
import type { ListState } from "../../components/table/listState";
import { balanceStrings } from "../../strings/pt-BR.balance";
import styles from "./AsOf.module.css";
import type { Axis } from "./asOf";
import { HIDDEN_AT_FIRST, ORDER_COLUMN } from "./axisColumns";
import type { BalanceFilters } from "./filters";
import { statementCards } from "./statementColumns";

const words = balanceStrings.statement;

interface StatementProps<Line extends BalanceMovement> {
  name: string;
  /** The axis of time that orders the lines and their running balance. Only staff can choose it. */
  axis?: Axis;
  read: Read<Paged<Line>>;
  columns: Columns<Line>;
  lineTarget: (line: Line) => RowTarget | undefined;
  list: ListState;
  filters: BalanceFilters;
  download: Download;
}

export function Statement<Line extends BalanceMovement>(props: StatementProps<Line>) {
  const { read, list, filters, axis = "effective" } = props;
  return (
    <>
      <p className={styles.aside}>{props.axis ? words.axes[props.axis] : words.sellerHint}</p>
      <DataTable
        // Each axis has its own columns.
        key={axis}
        name={props.name}
        label={words.table}
        columns={props.columns}
        hiddenAtFirst={HIDDEN_AT_FIRST[axis]}
        orderColumn={ORDER_COLUMN[axis]}
        list={list}
        read={read}
        filters={<DateRange value={filters.period} onChange={filters.changePeriod} />}
        empty={<EmptyList filters={filters} icon={IconReceipt} words={words} />}
        rowId={(line) => String(line.id)}
        rowTarget={props.lineTarget}
        card={statementCards[axis]}
        download={props.download}
      />
    </>
  );
}
