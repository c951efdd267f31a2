// A list of transfers as a table. The page reads the transfers and passes them in.
import { IconArrowUpRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Transfer } from "../../api/models";
import { DataTable } from "../../components/table/DataTable";
import type { TableList } from "../../components/table/useList";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { TRANSFERS_HIDDEN_AT_FIRST, transferCard, transferColumns } from "./transferColumns";

interface TransfersProps {
  name: string;
  list: TableList<Transfer>;
  rowActions?: (transfer: Transfer) => ReactNode;
  /** The column of the order; undefined if no single column describes it. */
  orderColumn?: string | undefined;
}

export function Transfers(props: TransfersProps) {
  const { name, list, rowActions, orderColumn } = props;
  return (
    <DataTable
      name={name}
      label={withdrawalsStrings.transfers.table}
      columns={transferColumns}
      hiddenAtFirst={TRANSFERS_HIDDEN_AT_FIRST}
      {...(orderColumn && { orderColumn })}
      list={list}
      icon={IconArrowUpRight}
      words={withdrawalsStrings.transfers}
      rowId={(transfer) => transfer.id}
      card={transferCard}
      {...(rowActions && { rowActions })}
    />
  );
}
