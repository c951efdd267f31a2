// The columns of the journal, and the same entry as a card. Each entry links to its event.
import { createColumnHelper } from "@tanstack/react-table";
import type { JournalEntry } from "../../api/models";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { money, wholeNumber } from "../../format/money";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import type { Axis } from "./asOf";
import { AxisInstant, axisColumns } from "./axisColumns";
import styles from "./Balance.module.css";
import { searchOfEvent } from "./eventAddress";
import { accountChoices } from "./filters";
import { Amount } from "./statementColumns";

const words = ledgerStrings.journal;
const titles = words.columns;
const EVENTS: Readonly<Record<string, string>> = words.events;

const eventText = ({ type }: JournalEntry) => EVENTS[type] ?? type;
const accountText = ({ account }: JournalEntry) => accountChoices[account];

/** The journal has at most one entry of an event for each account. */
export const journalKey = ({ event_id, account }: JournalEntry) => `${event_id}/${account}`;

export function entryTarget({ sequence }: JournalEntry): RowTarget {
  return { to: { search: searchOfEvent(String(sequence)) }, label: words.openEvent(wholeNumber(sequence)) };
}

const column = createColumnHelper<Features, JournalEntry>();

function columnsOf(axis: Axis) {
  const { occurredAt, recordedAt } = axisColumns<JournalEntry>(axis, titles);
  return column.columns([
    occurredAt,
    column.display({
      id: "sequence",
      header: titles.sequence,
      meta: { align: "end" },
      cell: ({ row }) => wholeNumber(row.original.sequence),
    }),
    column.display({
      id: "event",
      header: titles.event,
      enableHiding: false,
      cell: ({ row }) => <RowLink target={entryTarget(row.original)}>{eventText(row.original)}</RowLink>,
    }),
    recordedAt,
    column.display({
      id: "account",
      header: titles.account,
      cell: ({ row }) => accountText(row.original),
    }),
    column.display({
      id: "amount",
      header: titles.amount,
      meta: { align: "end" },
      cell: ({ row }) => <Amount cents={row.original.amount} />,
    }),
    column.display({
      id: "balance",
      header: titles.balance,
      meta: { align: "end" },
      cell: ({ row }) => money(row.original.balance),
    }),
  ]);
}

export const journalColumns = { effective: columnsOf("effective"), recorded: columnsOf("recorded") };

function journalCard(entry: JournalEntry, axis: Axis): Card {
  return {
    title: `${eventText(entry)} · ${accountText(entry)}`,
    value: <Amount cents={entry.amount} />,
    note: <AxisInstant of={entry} axis={axis} />,
    badge: (
      <span className={styles.small}>
        {titles.balance} {money(entry.balance)}
      </span>
    ),
  };
}

export const journalCards = {
  effective: (entry: JournalEntry) => journalCard(entry, "effective"),
  recorded: (entry: JournalEntry) => journalCard(entry, "recorded"),
};
