// The columns of a list of transfers, and the same row as a card.
import { Tooltip } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import type { Transfer } from "../../api/models";
import { Instant } from "../../components/Instant";
import { TransferBadge } from "../../components/StatusBadge";
import type { Card } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { authorText } from "../../format/author";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { salesStrings } from "../../strings/pt-BR.sales";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { destinationLines, transferText } from "./destination";
import { PENDING, PROCESSING } from "./transferCodes";
import styles from "./Withdrawals.module.css";

const titles = withdrawalsStrings.transfers.columns;
const queue = withdrawalsStrings.queue;
const none = strings.list.none;

/** The status, the approvals, and warnings that the bank's answer needs attention or that the destination is new. */
function TransferState({ transfer }: { transfer: Transfer }) {
  // Null for sellers: only staff see how a withdrawal is approved.
  const { approvals, approvals_needed } = transfer;
  const partlyApproved = transfer.status === PENDING && approvals !== null && approvals > 0;
  return (
    <span className={styles.status}>
      <TransferBadge status={transfer.status} />
      {partlyApproved && (
        <span className={styles.small}>{queue.approvals(approvals, approvals_needed ?? 1)}</span>
      )}
      {transfer.status === PROCESSING && transfer.by_hand && (
        <span className={styles.small}>{queue.byHand}</span>
      )}
      {transfer.needs_attention && <Warning label={queue.attention} />}
      {transfer.destination_changed_at && <Warning label={queue.destinationChanged} />}
    </span>
  );
}

function Warning({ label }: { label: string }) {
  return (
    <Tooltip label={label} withArrow>
      <span className={styles.attention} role="img" aria-label={label}>
        <IconAlertTriangle size={16} aria-hidden />
      </span>
    </Tooltip>
  );
}

/** At most two lines; the cell's title has the whole text. */
function Destination({ of }: { of: Transfer }) {
  const [first, second] = destinationLines(of);
  return (
    <span className={styles.lines} title={transferText(of)}>
      {first}
      {second && <span className={styles.small}>{second}</span>}
    </span>
  );
}

const column = createColumnHelper<Features, Transfer>();

export const TRANSFERS_ORDER = "requestedAt";

/** Without a status filter, staff see pending transfers first, so no column of dates describes the order. */
export const staffOrder = (status: string | null) => (status === null ? undefined : TRANSFERS_ORDER);

export const TRANSFERS_HIDDEN_AT_FIRST = ["updatedAt", "requestedBy", "fee"] as const;

export const transferColumns = column.columns([
  column.accessor("requested_at", {
    id: TRANSFERS_ORDER,
    header: titles.requestedAt,
    enableHiding: false,
    cell: ({ row }) => <Instant at={row.original.requested_at} />,
  }),
  column.display({
    id: "kind",
    header: titles.kind,
    enableSorting: false,
    cell: ({ row }) => withdrawalsStrings.transferKind[row.original.kind],
  }),
  column.display({
    id: "status",
    header: titles.status,
    enableSorting: false,
    cell: ({ row }) => <TransferState transfer={row.original} />,
  }),
  column.display({
    id: "destination",
    header: titles.destination,
    enableSorting: false,
    cell: ({ row }) => <Destination of={row.original} />,
  }),
  column.display({
    id: "reason",
    header: titles.reason,
    enableSorting: false,
    cell: ({ row }) => (
      <span className={styles.wrap}>{row.original.reason ?? row.original.description ?? none}</span>
    ),
  }),
  column.display({
    id: "updatedAt",
    header: titles.updatedAt,
    enableSorting: false,
    cell: ({ row: { original } }) => (
      <>
        <Instant at={original.updated_at} />
        {original.updated_by && (
          <span className={styles.small}>{salesStrings.sale.byAuthor(authorText(original.updated_by))}</span>
        )}
      </>
    ),
  }),
  column.display({
    id: "requestedBy",
    header: titles.requestedBy,
    enableSorting: false,
    cell: ({ row }) => authorText(row.original.author),
  }),
  column.display({
    id: "amount",
    header: titles.amount,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => <span className={styles.amount}>{money(row.original.amount)}</span>,
  }),
  column.display({
    id: "fee",
    header: titles.fee,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.fee),
  }),
  column.display({
    id: "net",
    header: titles.net,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.net_amount),
  }),
]);

export function transferCard(transfer: Transfer): Card {
  const reason = transfer.reason ?? transfer.description;
  return {
    title: transferText(transfer),
    value: money(transfer.amount),
    note: (
      <>
        <Instant at={transfer.requested_at} />
        {reason && <span className={styles.small}>{reason}</span>}
      </>
    ),
    badge: <TransferState transfer={transfer} />,
  };
}
