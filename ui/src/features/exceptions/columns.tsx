// The columns of the exceptions queue, and the same row as a card.
import { createColumnHelper } from "@tanstack/react-table";
import type { ExceptionRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { ExceptionBadge, type ExceptionStatus } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
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

/** An unknown status, which only a newer gateway can send, is shown as waiting. */
export function statusOf({ status }: ExceptionRow): ExceptionStatus {
  return status === "resolved" || status === "closed" ? status : "waiting";
}

/** The link that opens the row over the list. */
export function exceptionTarget(row: ExceptionRow): RowTarget {
  const search = new URLSearchParams(window.location.search);
  search.set("exception", row.id);
  return { to: { search: `?${search}` }, label: words.open(row.notice_id) };
}

const column = createColumnHelper<Features, ExceptionRow>();

export const ORDER_COLUMN = "receivedAt";
export const HIDDEN_AT_FIRST = ["nextTry"] as const;

export const exceptionColumns = column.columns([
  column.display({
    id: "type",
    header: titles.type,
    enableHiding: false,
    enableSorting: false,
    cell: ({ row }) => (
      <RowLink target={exceptionTarget(row.original)}>{typeText(row.original.type)}</RowLink>
    ),
  }),
  column.accessor("received_at", {
    id: ORDER_COLUMN,
    header: titles.receivedAt,
    cell: ({ row }) => <Instant at={row.original.received_at} />,
  }),
  column.display({
    id: "provider",
    header: titles.provider,
    enableSorting: false,
    cell: ({ row }) => providerName(row.original.provider),
  }),
  column.display({
    id: "reason",
    header: titles.reason,
    enableSorting: false,
    cell: ({ row }) => <span className={styles.wrap}>{reasonText(row.original)}</span>,
  }),
  column.display({
    id: "business",
    header: titles.business,
    enableSorting: false,
    cell: ({ row }) => row.original.business_name ?? none,
  }),
  column.display({
    id: "status",
    header: titles.status,
    enableSorting: false,
    cell: ({ row }) => <ExceptionBadge status={statusOf(row.original)} />,
  }),
  column.display({
    id: "nextTry",
    header: titles.nextTry,
    enableSorting: false,
    cell: ({ row }) => (row.original.next_try_at ? <Instant at={row.original.next_try_at} /> : none),
  }),
  column.display({
    id: "tries",
    header: titles.tries,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => wholeNumber(row.original.tries),
  }),
]);

export function exceptionCard(row: ExceptionRow): Card {
  return {
    title: reasonText(row),
    value: "",
    note: (
      <>
        {typeText(row.type)} · <Instant at={row.received_at} />
      </>
    ),
    badge: <ExceptionBadge status={statusOf(row)} />,
  };
}
