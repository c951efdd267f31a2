// The settlement days of each acquirer. A row has the gross that our sales expect, and the gross that the acquirer
// reports. It also has the net that is reported as paid, the acquirer's cost, and the sum of the day's differences
// (reported less expected). Until the time for reports is over, a sum of zero does not mean agreement, so the row says
// that it waits.
import { IconCalendarStats } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import { useApi } from "../../api/hooks";
import type { SettlementDay } from "../../api/models";
import { type Card, DataTable, type RowTarget } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Features } from "../../components/table/features";
import { useListState } from "../../components/table/listState";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import { CommonFilters } from "./CommonFilters";
import type { ReconciliationFilters } from "./filters";
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

const column = createColumnHelper<Features, SettlementDay>();
const amount = (id: keyof typeof titles, cents: (day: SettlementDay) => number | null) =>
  column.display({
    id,
    header: titles[id],
    meta: { align: "end" },
    cell: ({ row }) => {
      const found = cents(row.original);
      return found === null ? settlementsStrings.none : money(found);
    },
  });

const dayColumns = column.columns([
  column.display({
    id: "day",
    header: titles.day,
    enableHiding: false,
    cell: ({ row }) => <RowLink target={dayTarget(row.original)}>{businessDate(row.original.day)}</RowLink>,
  }),
  column.display({
    id: "provider",
    header: titles.provider,
    cell: ({ row }) => providerName(row.original.provider),
  }),
  amount("expected", ({ expected }) => expected),
  amount("reported", ({ reported }) => reported),
  amount("paid", ({ paid }) => paid),
  amount("cost", ({ cost }) => cost),
  column.display({
    id: "difference",
    header: titles.difference,
    meta: { align: "end" },
    cell: ({ row }) => <Difference day={row.original} />,
  }),
  column.display({
    id: "open",
    header: titles.open,
    meta: { align: "end" },
    cell: ({ row }) => wholeNumber(row.original.open_count),
  }),
]);

function dayCard(day: SettlementDay): Card {
  return {
    title: `${businessDate(day.day)} · ${providerName(day.provider)}`,
    value: money(day.reported),
    note: words.openCount(day.open_count),
    badge: <Difference day={day} />,
  };
}

export function Days({ filters }: { filters: ReconciliationFilters }) {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/settlements/days", { query: { ...filters.commonQuery, page, perPage } });
  return (
    <DataTable
      name="settlementDays"
      label={words.table}
      columns={dayColumns}
      list={list}
      read={read}
      filters={<CommonFilters filters={filters} />}
      empty={
        <EmptyList
          filters={{ any: filters.anyCommonFilter, clear: filters.clear }}
          icon={IconCalendarStats}
          words={words}
        />
      }
      rowId={({ provider, day }) => `${provider}/${day}`}
      rowTarget={dayTarget}
      card={dayCard}
    />
  );
}
