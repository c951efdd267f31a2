// The columns of a list of transfers, and the same row as a card.
import { Tooltip } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Transfer } from "../../api/models";
import { Instant } from "../../components/Instant";
import { TransferBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
import { UnbrokenNumbers } from "../../components/UnbrokenNumbers";
import { authorText } from "../../format/author";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { salesStrings } from "../../strings/pt-BR.sales";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { isReturned } from "./actions";
import { destinationLines, transferText } from "./destination";
import { PENDING, PROCESSING } from "./transferCodes";
import styles from "./Withdrawals.module.css";

const titles = withdrawalsStrings.transfers.columns;
const queue = withdrawalsStrings.queue;
const none = strings.list.none;

/** The status, the approvals, and warnings that the bank's answer needs attention or that the destination or the user is new. */
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
      {isReturned(transfer) && <span className={styles.small}>{withdrawalsStrings.returned.byBank}</span>}
      {transfer.needs_attention && <Warning label={queue.attention} />}
      {transfer.destination_changed_at && <Warning label={queue.destinationChanged} />}
      {transfer.requester_access_at && <Warning label={queue.requesterIsNew} />}
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

const column = columnsFor<Transfer>();

export const TRANSFERS_ORDER = "requestedAt";

/** Without a status filter, staff see pending transfers first, so no column of dates describes the order. */
export const staffOrder = (status: string | null) => (status === null ? undefined : TRANSFERS_ORDER);

export const TRANSFERS_HIDDEN_AT_FIRST = ["updatedAt", "requestedBy", "fee"] as const;

export const transferColumns = [
  column.ordered(TRANSFERS_ORDER, titles.requestedAt, (row) => <Instant at={row.requested_at} />, {
    fixed: true,
  }),
  column.shown("kind", titles.kind, (row) => withdrawalsStrings.transferKind[row.kind]),
  column.shown("status", titles.status, (row) => <TransferState transfer={row} />),
  column.shown("destination", titles.destination, (row) => <Destination of={row} />),
  column.shown("reason", titles.reason, (row) => (
    <span className={styles.wrap}>{row.reason ?? row.description ?? none}</span>
  )),
  column.shown("updatedAt", titles.updatedAt, (row) => (
    <>
      <Instant at={row.updated_at} />
      {row.updated_by && (
        <span className={styles.small}>{salesStrings.sale.byAuthor(authorText(row.updated_by))}</span>
      )}
    </>
  )),
  column.shown("requestedBy", titles.requestedBy, (row) => authorText(row.author)),
  column.shown("amount", titles.amount, (row) => <span className={styles.amount}>{money(row.amount)}</span>, {
    align: "end",
  }),
  column.shown("fee", titles.fee, (row) => money(row.fee), { align: "end" }),
  column.shown("net", titles.net, (row) => money(row.net_amount), { align: "end" }),
];

export function transferCard(transfer: Transfer): Card {
  const reason = transfer.reason ?? transfer.description;
  return {
    title: <UnbrokenNumbers>{transferText(transfer)}</UnbrokenNumbers>,
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
