// A list of transfers as a table. The page reads the transfers and passes them in. A withdrawal opens its own page.
import { IconArrowUpRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Transfer } from "../../api/models";
import { DataTable, type RowTarget } from "../../components/table/DataTable";
import type { TableList } from "../../components/table/useList";
import { useMayOpenWithdrawal, withdrawalAddress } from "../../components/WithdrawalLink";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { WITHDRAWAL } from "./transferCodes";
import { TRANSFERS_HIDDEN_AT_FIRST, transferCard, transferColumns } from "./transferColumns";

interface TransfersProps {
  name: string;
  list: TableList<Transfer>;
  rowActions?: (transfer: Transfer) => ReactNode;
  /** The column of the order; undefined if no single column describes it. */
  orderColumn?: string | undefined;
}

/** The page of a withdrawal; undefined for another transfer. */
export function withdrawalTarget({ id, kind, amount }: Transfer): RowTarget | undefined {
  if (kind !== WITHDRAWAL) return undefined;
  return { to: withdrawalAddress(id), label: withdrawalsStrings.page.open(money(amount)) };
}

export function Transfers(props: TransfersProps) {
  const { name, list, rowActions, orderColumn } = props;
  const mayOpen = useMayOpenWithdrawal();
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
      rowTarget={(transfer) => (mayOpen ? withdrawalTarget(transfer) : undefined)}
      card={transferCard}
      {...(rowActions && { rowActions })}
    />
  );
}
