// The columns of the schedule by day, and the same day as a card.
import type { ReceivablesDay } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
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

const column = columnsFor<ReceivablesDay>();

const amount = (id: keyof typeof titles, cents: (day: ReceivablesDay) => number) =>
  column.shown(id, titles[id], (row) => money(cents(row)), { align: "end" });

export const DAYS_ORDER = "dueDate";

export const dayColumns = [
  column.ordered(
    DAYS_ORDER,
    titles.dueDate,
    (row) => <RowLink target={dayTarget(row)}>{businessDate(row.due_date)}</RowLink>,
    { fixed: true },
  ),
  column.shown("weekday", titles.weekday, (row) => businessDate(row.due_date, "dddd")),
  column.shown("count", titles.count, (row) => wholeNumber(row.count), { align: "end" }),
  amount("expected", (day) => day.expected),
  amount("settled", (day) => day.settled),
  amount("accelerated", (day) => day.accelerated),
  amount("scheduled", scheduledOf),
];

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
