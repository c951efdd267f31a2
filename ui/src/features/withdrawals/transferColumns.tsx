// The columns of a list of transfers, and the same row as a card.
import type { Transfer } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
import { UnbrokenNumbers } from "../../components/UnbrokenNumbers";
import { WithdrawalLink } from "../../components/WithdrawalLink";
import { authorText } from "../../format/author";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { salesStrings } from "../../strings/pt-BR.sales";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { destinationLines, transferText } from "./destination";
import { TransferState } from "./TransferState";
import { WITHDRAWAL } from "./transferCodes";
import styles from "./Withdrawals.module.css";

const titles = withdrawalsStrings.transfers.columns;
const none = strings.list.none;

/** Whole: a person compares it with a bank's. */
function Destination({ of }: { of: Transfer }) {
  const [first, second] = destinationLines(of);
  return (
    <span className={styles.whole}>
      <UnbrokenNumbers>{first ?? ""}</UnbrokenNumbers>
      {second && (
        <span className={styles.account}>
          <UnbrokenNumbers>{second}</UnbrokenNumbers>
        </span>
      )}
    </span>
  );
}

const column = columnsFor<Transfer>();

export const TRANSFERS_ORDER = "requestedAt";

/** Without a status filter, staff see pending transfers first, so no column of dates describes the order. */
export const staffOrder = (status: string | null) => (status === null ? undefined : TRANSFERS_ORDER);

export const TRANSFERS_HIDDEN_AT_FIRST = [
  "updatedAt",
  "requestedBy",
  "fee",
  "bankName",
  "returnName",
] as const;

const bankName = (names: Transfer["names"]) => names?.end_to_end_id ?? names?.control_number ?? none;

export const transferColumns = [
  column.ordered(
    TRANSFERS_ORDER,
    titles.requestedAt,
    (row) => (
      <WithdrawalLink
        id={row.kind === WITHDRAWAL ? row.id : undefined}
        label={withdrawalsStrings.page.open(money(row.amount))}
      >
        <Instant at={row.requested_at} />
      </WithdrawalLink>
    ),
    { fixed: true },
  ),
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
  column.shown("bankName", titles.bankName, (row) => bankName(row.names)),
  column.shown("returnName", titles.returnName, (row) => bankName(row.return_names)),
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
