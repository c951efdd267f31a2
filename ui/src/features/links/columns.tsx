// The columns of the lists of payment links, and the same row as a card. Staff also see the company.
import type { AdminPaymentLink, PaymentLink } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { money } from "../../format/money";
import { truncate } from "../../format/text";
import { linksStrings } from "../../strings/pt-BR.links";
import { LinkStatusBadge } from "./LinkStatusBadge";
import { amountText, expiryText, usesText } from "./linkText";

const titles = linksStrings.columns;
const DESCRIPTION_CHARS_SHOWN = 40;
/** Staff see company and description side by side. Both are cut, so that the bounds of an open amount have room. */
const CHARS_SHOWN_TO_STAFF = 28;

export const CREATED_COLUMN = "createdAt";
export const AMOUNT_COLUMN = "amount";
export const HIDDEN_AT_FIRST = ["code"] as const;
/** For staff, the company takes the place of the expiry date. */
export const HIDDEN_AT_FIRST_FOR_STAFF = ["code", "expiresOn"] as const;

export function linkTarget({ id, description }: PaymentLink): RowTarget {
  return {
    to: `/links-de-pagamento/${id}`,
    label: linksStrings.list.open(description),
  };
}

/** The gateway orders by one of two columns; only that one has the arrow. */
function columnsOf<Row extends PaymentLink>(ordered: "created_at" | "amount") {
  const column = columnsFor<Row>();
  return {
    column,
    facts: [
      column.shown("code", titles.code, (row) => row.code),
      column.shown("status", titles.status, (row) => <LinkStatusBadge status={row.status} />),
      column.ordered(AMOUNT_COLUMN, titles.amount, (row) => amountText(row), {
        align: "end",
        isOrder: ordered === "amount",
      }),
      column.shown("expiresOn", titles.expiresOn, (row) => expiryText(row)),
      column.shown("uses", titles.uses, (row) => usesText(row), { align: "end" }),
      column.shown("sold", titles.sold, (row) => money(row.sold), { align: "end" }),
      column.ordered(CREATED_COLUMN, titles.createdAt, (row) => <Instant at={row.created_at} />, {
        isOrder: ordered === "created_at",
      }),
    ],
  };
}

function sellerColumns(ordered: "created_at" | "amount") {
  const { column, facts } = columnsOf<PaymentLink>(ordered);
  return [
    column.shown(
      "description",
      titles.description,
      (row) => (
        <RowLink target={linkTarget(row)}>{truncate(row.description, DESCRIPTION_CHARS_SHOWN)}</RowLink>
      ),
      { fixed: true },
    ),
    ...facts,
  ];
}

function staffColumns(ordered: "created_at" | "amount") {
  const { column, facts } = columnsOf<AdminPaymentLink>(ordered);
  return [
    column.shown(
      "business",
      titles.business,
      (row) => <span title={row.business.name}>{truncate(row.business.name, CHARS_SHOWN_TO_STAFF)}</span>,
      { fixed: true },
    ),
    column.shown(
      "description",
      titles.description,
      (row) => <span title={row.description}>{truncate(row.description, CHARS_SHOWN_TO_STAFF)}</span>,
      { fixed: true },
    ),
    ...facts,
  ];
}

export const linkColumns = { created_at: sellerColumns("created_at"), amount: sellerColumns("amount") };
export const staffLinkColumns = { created_at: staffColumns("created_at"), amount: staffColumns("amount") };

export function linkCard(link: PaymentLink): Card {
  return {
    title: link.description,
    // The bounds of an open amount have no room next to the title.
    value: link.amount === null ? linksStrings.openAmount : money(link.amount),
    note: linksStrings.listCardNote(usesText(link), money(link.sold)),
    badge: <LinkStatusBadge status={link.status} />,
  };
}

export function staffLinkCard(link: AdminPaymentLink): Card {
  return { ...linkCard(link), title: link.business.name, note: link.description };
}
