// The columns of the withdrawals' queue: the company and its available balance, around those of every list of
// transfers.
import { createColumnHelper } from "@tanstack/react-table";
import type { Transfer } from "../../api/models";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { WITHDRAWAL } from "./transferCodes";
import { transferCard, transferColumns } from "./transferColumns";
import styles from "./Withdrawals.module.css";

const titles = withdrawalsStrings.transfers.columns;

export function businessTarget(transfer: Transfer): RowTarget {
  return {
    to: `/empresas/${transfer.business_id}/saldo`,
    label: withdrawalsStrings.queue.open(transfer.business.name),
  };
}

const column = createColumnHelper<Features, Transfer>();

export const QUEUE_HIDDEN_AT_FIRST = ["kind", "updatedAt", "requestedBy", "fee", "reason"] as const;

export const queueColumns = [
  column.display({
    id: "business",
    header: titles.business,
    enableHiding: false,
    enableSorting: false,
    cell: ({ row }) => (
      <span className={styles.lines} title={row.original.business.name}>
        <RowLink target={businessTarget(row.original)}>{row.original.business.name}</RowLink>
        <span className={styles.small}>{taxId(row.original.business.document)}</span>
      </span>
    ),
  }),
  ...transferColumns,
  column.display({
    id: "available",
    header: titles.available,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => {
      const now = row.original.available_now;
      return now === null || now === undefined ? strings.list.none : money(now);
    },
  }),
];

export function queueCard(transfer: Transfer): Card {
  const card = transferCard(transfer);
  // Adjustments and rentals are named. The destination of a withdrawal is left out: the modal of each action shows it.
  const kindText = transfer.kind !== WITHDRAWAL && <span className={styles.small}>{card.title}</span>;
  return {
    ...card,
    title: transfer.business.name,
    note: (
      <>
        {card.note}
        {kindText}
      </>
    ),
  };
}
