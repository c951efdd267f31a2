// The columns of the installments of a day, and the same installment as a card. Each links to its sale.
import { createColumnHelper } from "@tanstack/react-table";
import type { DueInstallment } from "../../api/models";
import { CardBrand } from "../../components/CardBrand";
import { Instant } from "../../components/Instant";
import { ReceivableBadge } from "../../components/StatusBadge";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { brandName, paymentText, providerName } from "../../format/payment";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { receivablesStrings } from "../../strings/pt-BR.receivables";

const words = receivablesStrings.receivables.installments;
const titles = words.columns;
const none = strings.list.none;

export function saleTarget({ sale_id }: DueInstallment): RowTarget {
  return { to: `/vendas/${sale_id}`, label: words.openSale(shortCode(sale_id)) };
}

const column = createColumnHelper<Features, DueInstallment>();

export const HIDDEN_AT_FIRST = ["soldAt"] as const;

export const installmentColumns = column.columns([
  column.display({
    id: "sale",
    header: titles.sale,
    enableHiding: false,
    cell: ({ row }) => <RowLink target={saleTarget(row.original)}>{shortCode(row.original.sale_id)}</RowLink>,
  }),
  column.display({
    id: "number",
    header: titles.number,
    cell: ({ row }) => words.number(row.original.number, row.original.installments),
  }),
  column.display({
    id: "soldAt",
    header: titles.soldAt,
    cell: ({ row }) => <Instant at={row.original.sold_at} />,
  }),
  column.display({
    id: "acquirer",
    header: titles.acquirer,
    cell: ({ row }) => providerName(row.original.provider),
  }),
  column.display({
    id: "payment",
    header: titles.payment,
    cell: ({ row }) => paymentText(row.original.payment_type, row.original.installments),
  }),
  column.display({
    id: "brand",
    header: titles.brand,
    cell: ({ row }) => (row.original.card_brand ? <CardBrand brand={row.original.card_brand} /> : none),
  }),
  column.display({
    id: "status",
    header: titles.status,
    cell: ({ row }) => <ReceivableBadge status={row.original.status} />,
  }),
  column.display({
    id: "settledOn",
    header: titles.settledOn,
    // An accelerated installment has the date of the reversal that paid it.
    cell: ({ row }) => (row.original.paid_on ? businessDate(row.original.paid_on) : none),
  }),
  column.display({
    id: "gross",
    header: titles.gross,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.gross),
  }),
  column.display({
    id: "net",
    header: titles.net,
    meta: { align: "end" },
    cell: ({ row }) => money(row.original.net),
  }),
]);

export function installmentCard(installment: DueInstallment): Card {
  const { payment_type, installments, number, card_brand } = installment;
  const payment = paymentText(payment_type, installments);
  return {
    title: card_brand ? `${payment} · ${brandName(card_brand)}` : payment,
    value: money(installment.net),
    note: `${words.number(number, installments)} · ${shortCode(installment.sale_id)}`,
    badge: <ReceivableBadge status={installment.status} />,
  };
}
