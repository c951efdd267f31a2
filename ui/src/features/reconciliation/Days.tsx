// The settlement days of each acquirer. A row has the gross that our sales expect, and the gross that the acquirer
// reports. It also has the net that is reported as paid, the acquirer's cost, and the sum of the day's differences
// (reported less expected). Until the time for reports is over, a sum of zero does not mean agreement, so the row says
// that it waits.
import { IconCalendarStats } from "@tabler/icons-react";
import type { SettlementDay } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable, type RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { useList } from "../../components/table/useList";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { COMMON, commonQuery, FILTERS } from "./filters";
import styles from "./Reconciliation.module.css";

const words = settlementsStrings.days;
const titles = words.columns;

/** Where a day's row leads: the list of its differences. */
function dayTarget({ provider, day }: SettlementDay): RowTarget {
  const search = new URLSearchParams({ provider: String(provider), state: "all", start: day, end: day });
  return { to: { search: `?${search}` }, label: words.openDay(providerName(provider), businessDate(day)) };
}

function Difference({ day }: { day: SettlementDay }) {
  if (day.is_stale) return <span className={styles.dim}>{words.stale}</span>;
  if (day.difference === 0 && !day.is_complete) {
    return (
      <span className={styles.dim} title={words.pendingHint}>
        {words.pending}
      </span>
    );
  }
  return <span className={day.difference < 0 ? styles.negative : undefined}>{money(day.difference)}</span>;
}

const column = columnsFor<SettlementDay>();
const amount = (id: keyof typeof titles, cents: (day: SettlementDay) => number | null) =>
  column.shown(
    id,
    titles[id],
    (row) => {
      const found = cents(row);
      return found === null ? settlementsStrings.none : money(found);
    },
    { align: "end" },
  );

const dayColumns = [
  column.shown(
    "day",
    titles.day,
    (row) => <RowLink target={dayTarget(row)}>{businessDate(row.day)}</RowLink>,
    { fixed: true },
  ),
  column.shown("provider", titles.provider, (row) => providerName(row.provider)),
  amount("expected", ({ expected }) => expected),
  amount("reported", ({ reported }) => reported),
  amount("paid", ({ paid }) => paid),
  amount("cost", ({ cost }) => cost),
  column.shown("difference", titles.difference, (row) => <Difference day={row} />, { align: "end" }),
  column.shown("open", titles.open, (row) => wholeNumber(row.open_count), { align: "end" }),
];

function dayCard(day: SettlementDay): Card {
  return {
    title: `${businessDate(day.day)} · ${providerName(day.provider)}`,
    value: money(day.reported),
    note: words.openCount(day.open_count),
    badge: <Difference day={day} />,
  };
}

export function Days() {
  const list = useList("/admin/settlements/days", { filters: FILTERS, shown: COMMON, query: commonQuery });
  return (
    <DataTable
      name="settlementDays"
      label={words.table}
      columns={dayColumns}
      list={list}
      icon={IconCalendarStats}
      words={words}
      rowId={({ provider, day }) => `${provider}/${day}`}
      rowTarget={dayTarget}
      card={dayCard}
    />
  );
}
