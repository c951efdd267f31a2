// The columns of the journal, and the same entry as a card. Each entry links to its event.
import type { JournalEntry } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
import { RowLink } from "../../components/table/RowLink";
import { money, wholeNumber } from "../../format/money";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import type { Axis } from "./asOf";
import { AxisInstant, axisColumns } from "./axisColumns";
import styles from "./Balance.module.css";
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
  return {
    to: { search: searchOpening("event", String(sequence)) },
    label: words.openEvent(wholeNumber(sequence)),
  };
}

const column = columnsFor<JournalEntry>();

function columnsOf(axis: Axis) {
  const { occurredAt, recordedAt } = axisColumns<JournalEntry>(axis, titles);
  return [
    occurredAt,
    column.shown("sequence", titles.sequence, (row) => wholeNumber(row.sequence), { align: "end" }),
    column.shown(
      "event",
      titles.event,
      (row) => <RowLink target={entryTarget(row)}>{eventText(row)}</RowLink>,
      { fixed: true },
    ),
    recordedAt,
    column.shown("account", titles.account, (row) => accountText(row)),
    column.shown("amount", titles.amount, (row) => <Amount cents={row.amount} />, { align: "end" }),
    column.shown("balance", titles.balance, (row) => money(row.balance), { align: "end" }),
  ];
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
