// The columns of the installments of a day, and the same installment as a card. Each links to its sale.
import type { DueInstallment } from "../../api/models";
import { CardBrand } from "../../components/CardBrand";
import { Instant } from "../../components/Instant";
import { ReceivableBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
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

const column = columnsFor<DueInstallment>();

export const HIDDEN_AT_FIRST = ["soldAt"] as const;

export const installmentColumns = [
  column.shown(
    "sale",
    titles.sale,
    (row) => <RowLink target={saleTarget(row)}>{shortCode(row.sale_id)}</RowLink>,
    { fixed: true },
  ),
  column.shown("number", titles.number, (row) => words.number(row.number, row.installments)),
  column.shown("soldAt", titles.soldAt, (row) => <Instant at={row.sold_at} />),
  column.shown("acquirer", titles.acquirer, (row) => providerName(row.provider)),
  column.shown("payment", titles.payment, (row) => paymentText(row.payment_type, row.installments)),
  column.shown("brand", titles.brand, (row) =>
    row.card_brand ? <CardBrand brand={row.card_brand} /> : none,
  ),
  column.shown("status", titles.status, (row) => <ReceivableBadge status={row.status} />),
  // An accelerated installment has the date of the reversal that paid it.
  column.shown("settledOn", titles.settledOn, (row) => (row.paid_on ? businessDate(row.paid_on) : none)),
  column.shown("gross", titles.gross, (row) => money(row.gross), { align: "end" }),
  column.shown("net", titles.net, (row) => money(row.net), { align: "end" }),
];

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
