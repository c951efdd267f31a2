// The columns of staff's list of messages, and the same row as a card.
import { createColumnHelper } from "@tanstack/react-table";
import type { ContactMessageRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { taxId } from "../../format/documents";
import { truncate } from "../../format/text";
import { contactStrings } from "../../strings/pt-BR.contact";
import styles from "./Contact.module.css";
import { ContactStateBadge } from "./ContactStateBadge";

const words = contactStrings.staff;
const titles = words.columns;

/** The modal shows the whole subject. */
const SUBJECT_CHARS_SHOWN = 48;

export const ORDER_COLUMN = "createdAt";
export const HIDDEN_AT_FIRST = ["document", "email", "updatedAt"] as const;

/** The message, opened over the list. */
export function messageTarget({ id, number }: ContactMessageRow): RowTarget {
  const search = new URLSearchParams(window.location.search);
  search.set("message", id);
  return { to: { search: `?${search}` }, label: words.open(number) };
}

function Shortened({ text }: { text: string }) {
  return (
    <span className={styles.truncated} title={text}>
      {text}
    </span>
  );
}

const helper = createColumnHelper<Features, ContactMessageRow>();

export const messageColumns = helper.columns([
  helper.accessor("created_at", {
    id: ORDER_COLUMN,
    header: titles.createdAt,
    enableHiding: false,
    cell: ({ row }) => <Instant at={row.original.created_at} />,
  }),
  helper.display({
    id: "number",
    header: titles.number,
    enableSorting: false,
    cell: ({ row }) => row.original.number,
  }),
  helper.display({
    id: "subject",
    header: titles.subject,
    enableSorting: false,
    enableHiding: false,
    cell: ({ row }) => (
      <RowLink target={messageTarget(row.original)}>
        {truncate(row.original.subject, SUBJECT_CHARS_SHOWN)}
      </RowLink>
    ),
  }),
  helper.display({
    id: "business",
    header: titles.business,
    enableSorting: false,
    cell: ({ row }) => <Shortened text={row.original.business.name} />,
  }),
  helper.display({
    id: "document",
    header: titles.document,
    enableSorting: false,
    cell: ({ row }) => taxId(row.original.business.document),
  }),
  helper.display({
    id: "user",
    header: titles.user,
    enableSorting: false,
    cell: ({ row }) => <Shortened text={row.original.seller.name} />,
  }),
  helper.display({
    id: "email",
    header: titles.email,
    enableSorting: false,
    cell: ({ row }) => <Shortened text={row.original.seller.email} />,
  }),
  helper.display({
    id: "state",
    header: titles.state,
    enableSorting: false,
    cell: ({ row }) => <ContactStateBadge state={row.original.state} />,
  }),
  helper.display({
    id: "updatedAt",
    header: titles.updatedAt,
    enableSorting: false,
    cell: ({ row }) => <Instant at={row.original.updated_at} />,
  }),
]);

export function messageCard(message: ContactMessageRow): Card {
  return {
    title: message.subject,
    value: "",
    note: `${message.business.name} · ${message.seller.name}`,
    badge: <ContactStateBadge state={message.state} />,
  };
}
