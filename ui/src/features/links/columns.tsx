// The columns of the lists of payment links, and the same row as a card. Staff also see the company.
import { createColumnHelper } from "@tanstack/react-table";
import type { AdminPaymentLink, PaymentLink } from "../../api/models";
import { Instant } from "../../components/Instant";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
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
    state: { list: window.location.search },
    label: linksStrings.list.open(description),
  };
}

/** The gateway orders by one of two columns; only that one has the arrow. */
function columnsOf<Row extends PaymentLink>(ordered: "created_at" | "amount") {
  const column = createColumnHelper<Features, Row>();
  return {
    column,
    facts: column.columns([
      column.display({
        id: "code",
        header: titles.code,
        enableSorting: false,
        cell: ({ row }) => row.original.code,
      }),
      column.display({
        id: "status",
        header: titles.status,
        enableSorting: false,
        cell: ({ row }) => <LinkStatusBadge status={row.original.status} />,
      }),
      column.accessor((link) => link.amount, {
        id: AMOUNT_COLUMN,
        header: titles.amount,
        enableSorting: ordered === "amount",
        meta: { align: "end" },
        cell: ({ row }) => amountText(row.original),
      }),
      column.display({
        id: "expiresOn",
        header: titles.expiresOn,
        enableSorting: false,
        cell: ({ row }) => expiryText(row.original),
      }),
      column.display({
        id: "uses",
        header: titles.uses,
        enableSorting: false,
        meta: { align: "end" },
        cell: ({ row }) => usesText(row.original),
      }),
      column.display({
        id: "sold",
        header: titles.sold,
        enableSorting: false,
        meta: { align: "end" },
        cell: ({ row }) => money(row.original.sold),
      }),
      column.accessor((link) => link.created_at, {
        id: CREATED_COLUMN,
        header: titles.createdAt,
        enableSorting: ordered === "created_at",
        cell: ({ row }) => <Instant at={row.original.created_at} />,
      }),
    ]),
  };
}

function sellerColumns(ordered: "created_at" | "amount") {
  const { column, facts } = columnsOf<PaymentLink>(ordered);
  return [
    column.display({
      id: "description",
      header: titles.description,
      enableHiding: false,
      enableSorting: false,
      cell: ({ row }) => (
        <RowLink target={linkTarget(row.original)}>
          {truncate(row.original.description, DESCRIPTION_CHARS_SHOWN)}
        </RowLink>
      ),
    }),
    ...facts,
  ];
}

function staffColumns(ordered: "created_at" | "amount") {
  const { column, facts } = columnsOf<AdminPaymentLink>(ordered);
  return [
    column.display({
      id: "business",
      header: titles.business,
      enableHiding: false,
      enableSorting: false,
      cell: ({ row }) => (
        <span title={row.original.business.name}>
          {truncate(row.original.business.name, CHARS_SHOWN_TO_STAFF)}
        </span>
      ),
    }),
    column.display({
      id: "description",
      header: titles.description,
      enableHiding: false,
      enableSorting: false,
      cell: ({ row }) => (
        <span title={row.original.description}>
          {truncate(row.original.description, CHARS_SHOWN_TO_STAFF)}
        </span>
      ),
    }),
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
