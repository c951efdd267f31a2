// The columns of the exceptions queue, and the same row as a card.
import type { ExceptionRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ExceptionBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
import { RowLink } from "../../components/table/RowLink";
import { wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import styles from "./Exceptions.module.css";
import { typeText } from "./exceptionText";
import { reasonText } from "./reason";

const words = exceptionsStrings.exceptions;
const titles = words.columns;
const none = strings.list.none;

/** The link that opens the row over the list. */
export function exceptionTarget(row: ExceptionRow): RowTarget {
  return { to: { search: searchOpening("exception", row.id) }, label: words.open(row.notice_id) };
}

const column = columnsFor<ExceptionRow>();

export const ORDER_COLUMN = "receivedAt";
export const HIDDEN_AT_FIRST = ["nextTry"] as const;

export const exceptionColumns = [
  column.shown(
    "type",
    titles.type,
    (row) => <RowLink target={exceptionTarget(row)}>{typeText(row.type)}</RowLink>,
    { fixed: true },
  ),
  column.ordered(ORDER_COLUMN, titles.receivedAt, (row) => <Instant at={row.received_at} />),
  column.shown("provider", titles.provider, (row) => providerName(row.provider)),
  column.shown("reason", titles.reason, (row) => <span className={styles.wrap}>{reasonText(row)}</span>),
  column.shown("business", titles.business, (row) => row.business_name ?? none),
  column.shown("status", titles.status, (row) => <ExceptionBadge status={row.status} />),
  column.shown("nextTry", titles.nextTry, (row) =>
    row.next_try_at ? <Instant at={row.next_try_at} /> : none,
  ),
  column.shown("tries", titles.tries, (row) => wholeNumber(row.tries), { align: "end" }),
];

export function exceptionCard(row: ExceptionRow): Card {
  return {
    title: reasonText(row),
    value: "",
    note: (
      <>
        {typeText(row.type)} · <Instant at={row.received_at} />
      </>
    ),
    badge: <ExceptionBadge status={row.status} />,
  };
}
