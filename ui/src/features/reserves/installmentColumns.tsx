// The columns of the installments of which the reserve holds or held a part, and the same installment as a card.
import type { ReservedInstallment } from "../../api/models";
import { CardBrand } from "../../components/CardBrand";
import { Instant } from "../../components/Instant";
import { Badge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { brandName, paymentText } from "../../format/payment";
import { shortCode } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { reservesStrings } from "../../strings/pt-BR.reserves";

const words = reservesStrings.list;
const titles = words.columns;

const TONES = { held: "wait", released: "good", used: "quiet" } as const satisfies Record<
  ReservedInstallment["state"],
  string
>;

function StateBadge({ state }: Pick<ReservedInstallment, "state">) {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}

export const saleTarget = ({ sale_id }: ReservedInstallment): RowTarget => ({
  to: `/vendas/${sale_id}`,
  label: words.openSale(shortCode(sale_id)),
});

const column = columnsFor<ReservedInstallment>();

const amount = (id: "net" | "reserved" | "released" | "used" | "held") =>
  column.shown(id, titles[id], (row) => money(row[id]), { align: "end" });

export const ORDER_COLUMN = "releaseOn";
export const HIDDEN_AT_FIRST = ["soldAt", "cardBrand", "released", "used"] as const;

export const reservedColumns = [
  column.ordered(ORDER_COLUMN, titles.releaseOn, (row) => businessDate(row.release_on), { fixed: true }),
  column.shown(
    "sale",
    titles.sale,
    (row) => <RowLink target={saleTarget(row)}>{shortCode(row.sale_id)}</RowLink>,
    { fixed: true },
  ),
  column.shown("soldAt", titles.soldAt, (row) => <Instant at={row.sold_at} />),
  column.shown("number", titles.number, (row) => words.number(row.number, row.installments)),
  column.shown("paymentType", titles.paymentType, (row) => paymentText(row.payment_type, row.installments)),
  column.shown("cardBrand", titles.cardBrand, (row) =>
    row.card_brand ? <CardBrand brand={row.card_brand} /> : strings.list.none,
  ),
  column.shown("settledOn", titles.settledOn, (row) => businessDate(row.settled_on)),
  amount("net"),
  amount("reserved"),
  amount("released"),
  amount("used"),
  amount("held"),
  column.shown("state", titles.state, (row) => <StateBadge state={row.state} />, { fixed: true }),
];

export function reservedCard(row: ReservedInstallment): Card {
  const payment = paymentText(row.payment_type, row.installments);
  return {
    title: row.card_brand ? `${payment} · ${brandName(row.card_brand)}` : payment,
    value: money(row.reserved),
    note: `${businessDate(row.release_on)} · ${words.number(row.number, row.installments)} · ${shortCode(row.sale_id)}`,
    badge: <StateBadge state={row.state} />,
  };
}
