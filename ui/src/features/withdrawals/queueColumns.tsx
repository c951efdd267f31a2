// The columns of the withdrawals' queue: the company and its available balance, around those of every list of
// transfers.
import type { Transfer } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { Signals } from "./Signals";
import { TRANSFERS_HIDDEN_AT_FIRST, transferCard, transferColumns } from "./transferColumns";
import styles from "./Withdrawals.module.css";

const titles = withdrawalsStrings.transfers.columns;

export function businessTarget(transfer: Transfer): RowTarget {
  return {
    to: `/empresas/${transfer.business_id}/saldo`,
    label: withdrawalsStrings.queue.open(transfer.business.name),
  };
}

const column = columnsFor<Transfer>();

export const QUEUE_HIDDEN_AT_FIRST = [...TRANSFERS_HIDDEN_AT_FIRST, "kind", "reason", "net"] as const;

const SIGNALS = column.shown("signals", titles.signals, (row) => <Signals transfer={row} />);

export const queueColumns = [
  column.shown(
    "business",
    titles.business,
    (row) => (
      <span className={styles.lines} title={row.business.name}>
        <RowLink target={businessTarget(row)}>{row.business.name}</RowLink>
        <span className={styles.small}>{taxId(row.business.document)}</span>
      </span>
    ),
    { fixed: true },
  ),
  // The signals stand beside the amount.
  ...transferColumns.flatMap((each) => (each.id === "amount" ? [each, SIGNALS] : [each])),
  column.shown(
    "available",
    titles.available,
    (row) => {
      const now = row.available_now;
      return now === null || now === undefined ? strings.list.none : money(now);
    },
    { align: "end" },
  ),
];

export function queueCard(transfer: Transfer): Card {
  const card = transferCard(transfer);
  const { available_now } = transfer;
  return {
    ...card,
    title: transfer.business.name,
    note: (
      <>
        {card.note}
        {/* The destination of a withdrawal, or what another transfer is. */}
        <span className={styles.destination}>{card.title}</span>
        {typeof available_now === "number" && (
          <span className={styles.small}>{withdrawalsStrings.queue.available(money(available_now))}</span>
        )}
        <Signals transfer={transfer} />
      </>
    ),
  };
}
