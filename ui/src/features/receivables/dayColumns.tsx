// The columns of the schedule by day, and the same day as a card.
import { createColumnHelper } from "@tanstack/react-table";
import type { ReceivablesDay } from "../../api/models";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { DayShares } from "./DayShares";
import { searchOfDay } from "./filters";
import styles from "./Receivables.module.css";
import { scheduledOf } from "./sums";

const words = receivablesStrings.receivables;
const titles = words.days.columns;

export function dayTarget({ due_date }: ReceivablesDay): RowTarget {
  return {
    to: { search: searchOfDay({ day: due_date, provider: null, brand: null, type: null }) },
    label: words.days.open(businessDate(due_date)),
  };
}

const column = createColumnHelper<Features, ReceivablesDay>();

const amount = (id: keyof typeof titles, cents: (day: ReceivablesDay) => number) =>
  column.display({
    id,
    header: titles[id],
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => money(cents(row.original)),
  });

export const DAYS_ORDER = "dueDate";

export const dayColumns = column.columns([
  column.accessor("due_date", {
    id: DAYS_ORDER,
    header: titles.dueDate,
    enableHiding: false,
    cell: ({ row }) => (
      <RowLink target={dayTarget(row.original)}>{businessDate(row.original.due_date)}</RowLink>
    ),
  }),
  column.display({
    id: "weekday",
    header: titles.weekday,
    enableSorting: false,
    cell: ({ row }) => businessDate(row.original.due_date, "dddd"),
  }),
  column.display({
    id: "count",
    header: titles.count,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => wholeNumber(row.original.count),
  }),
  amount("expected", (day) => day.expected),
  amount("settled", (day) => day.settled),
  amount("accelerated", (day) => day.accelerated),
  amount("scheduled", scheduledOf),
]);

export function dayCard(day: ReceivablesDay): Card {
  return {
    title: businessDate(day.due_date, "ddd, DD/MM/YYYY"),
    value: money(day.expected),
    note: words.count(day.count, wholeNumber(day.count)),
    badge: (
      <span className={styles.mark}>
        <DayShares of={day} />
      </span>
    ),
  };
}
