// The columns of staff's list of messages, and the same row as a card.
import type { ContactMessageRow } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
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
  return { to: { search: searchOpening("message", id) }, label: words.open(number) };
}

function Shortened({ text }: { text: string }) {
  return (
    <span className={styles.truncated} title={text}>
      {text}
    </span>
  );
}

const helper = columnsFor<ContactMessageRow>();

export const messageColumns = [
  helper.ordered(ORDER_COLUMN, titles.createdAt, (row) => <Instant at={row.created_at} />, { fixed: true }),
  helper.shown("number", titles.number, (row) => row.number),
  helper.shown(
    "subject",
    titles.subject,
    (row) => <RowLink target={messageTarget(row)}>{truncate(row.subject, SUBJECT_CHARS_SHOWN)}</RowLink>,
    { fixed: true },
  ),
  helper.shown("business", titles.business, (row) => <Shortened text={row.business.name} />),
  helper.shown("document", titles.document, (row) => taxId(row.business.document)),
  helper.shown("user", titles.user, (row) => <Shortened text={row.seller.name} />),
  helper.shown("email", titles.email, (row) => <Shortened text={row.seller.email} />),
  helper.shown("state", titles.state, (row) => <ContactStateBadge state={row.state} />),
  helper.shown("updatedAt", titles.updatedAt, (row) => <Instant at={row.updated_at} />),
];

export function messageCard(message: ContactMessageRow): Card {
  return {
    title: message.subject,
    value: "",
    note: `${message.business.name} · ${message.seller.name}`,
    badge: <ContactStateBadge state={message.state} />,
  };
}
