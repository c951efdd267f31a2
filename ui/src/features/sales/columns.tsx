// The columns of the sales list, and the same row as two lines for a phone.
import { createColumnHelper } from "@tanstack/react-table";
import type { SaleRow } from "../../api/models";
import { BrandMark } from "../../components/BrandMark";
import { Instant } from "../../components/Instant";
import { StatusBadge } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { money } from "../../format/money";
import { brandName, paymentText, solutionName } from "../../format/payment";
import { shortCode, truncate } from "../../format/text";
import { strings } from "../../strings/pt-BR";

const titles = strings.sales.columns;
const none = strings.list.none;

/** Where a sale opens; it carries the list's address, so that the way back keeps filters and page. */
export function saleTarget(sale: SaleRow): RowTarget {
  return {
    to: `/vendas/${sale.id}`,
    state: { list: window.location.search },
    label: strings.sales.open(shortCode(sale.id)),
  };
}

function originText(sale: SaleRow): string {
  return sale.terminal?.serial_number ?? sale.payment_link_code ?? none;
}

const column = createColumnHelper<Features, SaleRow>();

export const HIDDEN_AT_FIRST = ["origin", "capturedAt"] as const;
export const ORDER_COLUMN = "createdAt";

export const saleColumns = column.columns([
  column.accessor("id", {
    id: "code",
    header: titles.code,
    enableHiding: false,
    enableSorting: false,
    cell: ({ row }) => <RowLink target={saleTarget(row.original)}>{shortCode(row.original.id)}</RowLink>,
  }),
  column.accessor("occurred_at", {
    id: ORDER_COLUMN,
    header: titles.createdAt,
    cell: ({ row }) => <Instant at={row.original.occurred_at} />,
  }),
  column.accessor("status", {
    id: "status",
    header: titles.status,
    enableSorting: false,
    cell: ({ row }) => <StatusBadge status={row.original.status} />,
  }),
  column.accessor("solution", {
    id: "solution",
    header: titles.solution,
    enableSorting: false,
    cell: ({ row }) => solutionName(row.original.solution),
  }),
  column.accessor("payment_type", {
    id: "payment",
    header: titles.payment,
    enableSorting: false,
    cell: ({ row }) => paymentText(row.original.payment_type, row.original.payment_method.installments),
  }),
  column.display({
    id: "brand",
    header: titles.brand,
    enableSorting: false,
    cell: ({ row }) => {
      const { card_brand, card_last_four } = row.original.payment_method;
      return card_brand ? <BrandMark brand={card_brand} lastFour={card_last_four} /> : none;
    },
  }),
  column.accessor(originText, {
    id: "origin",
    header: titles.origin,
    enableSorting: false,
    cell: ({ row }) => <span title={originText(row.original)}>{truncate(originText(row.original))}</span>,
  }),
  column.accessor("captured_at", {
    id: "capturedAt",
    header: titles.capturedAt,
    enableSorting: false,
    cell: ({ row }) => (row.original.captured_at ? <Instant at={row.original.captured_at} /> : none),
  }),
  column.accessor("amount", {
    id: "gross",
    header: titles.gross,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.amount),
  }),
  column.accessor("net_amount", {
    id: "net",
    header: titles.net,
    enableSorting: false,
    meta: { align: "end" },
    cell: ({ row }) => (row.original.net_amount === null ? none : money(row.original.net_amount)),
  }),
]);

export function saleCard(sale: SaleRow): Card {
  const brand = sale.payment_method.card_brand;
  const payment = paymentText(sale.payment_type, sale.payment_method.installments);
  return {
    title: brand ? `${payment} · ${brandName(brand)}` : payment,
    value: money(sale.amount),
    note: <Instant at={sale.occurred_at} />,
    mark: <StatusBadge status={sale.status} />,
  };
}
