// The columns of the journal, and the same posting for a phone. Each leads to its event.
import { createColumnHelper } from "@tanstack/react-table";
import type { JournalEntry } from "../../api/models";
import { Instant } from "../../components/Instant";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { money, wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import type { Axis } from "./asOf";
import styles from "./Balance.module.css";
import { accountChoices } from "./filters";
import { Amount, searchOfEvent } from "./statementColumns";

const words = strings.journal;
const titles = words.columns;
const EVENTS: Readonly<Record<string, string>> = words.events;

const eventText = ({ type }: JournalEntry) => EVENTS[type] ?? type;
const accountText = ({ account }: JournalEntry) => accountChoices[account];

/** An event has one posting for an account at most. */
export const journalKey = ({ event_id, account }: JournalEntry) => `${event_id}/${account}`;

export function entryTarget({ sequence }: JournalEntry): RowTarget {
  return { to: { search: searchOfEvent(String(sequence)) }, label: words.openEvent(wholeNumber(sequence)) };
}

const column = createColumnHelper<Features, JournalEntry>();

export const JOURNAL_ORDER: Readonly<Record<Axis, string>> = {
  effective: "occurredAt",
  recorded: "recordedAt",
};
export const JOURNAL_HIDDEN: Readonly<Record<Axis, readonly string[]>> = {
  effective: ["recordedAt"],
  recorded: [],
};

/** The column of the axis is the one that the postings are ordered by. */
const columnsOf = (axis: Axis) =>
  column.columns([
    column.accessor("occurred_at", {
      id: "occurredAt",
      header: titles.occurredAt,
      enableHiding: false,
      enableSorting: axis === "effective",
      cell: ({ row }) => <Instant at={row.original.occurred_at} />,
    }),
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
    column.accessor("recorded_at", {
      id: "recordedAt",
      header: titles.recordedAt,
      enableHiding: axis !== "recorded",
      enableSorting: axis === "recorded",
      cell: ({ row }) => <Instant at={row.original.recorded_at} />,
    }),
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

export const journalColumns = { effective: columnsOf("effective"), recorded: columnsOf("recorded") };

export function journalCard(entry: JournalEntry): Card {
  return {
    title: `${eventText(entry)} · ${accountText(entry)}`,
    value: <Amount cents={entry.amount} />,
    note: <Instant at={entry.occurred_at} />,
    mark: (
      <span className={styles.small}>
        {titles.balance} {money(entry.balance)}
      </span>
    ),
  };
}
