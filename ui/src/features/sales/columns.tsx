// The columns of a list of sales, and the same row as a card. Staff also see the company.
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { AdminSaleRow, SaleRow } from "../../api/models";
import { CardBrand } from "../../components/CardBrand";
import { Instant } from "../../components/Instant";
import { SaleAmount } from "../../components/SaleAmount";
import { SaleBadge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { money } from "../../format/money";
import { brandName, paymentText, solutionName } from "../../format/payment";
import { earnedNet } from "../../format/saleOutcome";
import { shortCode, truncate } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { explanationStrings } from "../../strings/pt-BR.explanation";
import { salesStrings } from "../../strings/pt-BR.sales";
import styles from "./explanation/Explanation.module.css";
import { EXPLANATION_SEARCH } from "./explanation/explanationAddress";

const titles = salesStrings.sales.columns;
const none = strings.list.none;

/** The address of a list of sales. The pages of its sales are below it. */
export type SalesListPath = "/vendas" | "/maquininha/vendas" | "/links-de-pagamento/vendas";

export function saleTarget(sale: SaleRow, listPath: SalesListPath = "/vendas"): RowTarget {
  return {
    to: `${listPath}/${sale.id}`,
    label: salesStrings.sales.open(shortCode(sale.id)),
  };
}

/** A link to the explanation of the net amount. Only a sale whose money the seller keeps has one. */
function Net({ sale, listPath }: { sale: SaleRow; listPath: SalesListPath }) {
  const net = earnedNet(sale);
  if (net === null) return none;
  return (
    <Link
      className={styles.whyLink}
      to={`${listPath}/${sale.id}${EXPLANATION_SEARCH}`}
      state={saleTarget(sale, listPath).state}
      aria-label={`${money(net)}. ${explanationStrings.explanation.of(shortCode(sale.id))}`}
    >
      {money(net)}
    </Link>
  );
}

function originText(sale: SaleRow): string {
  return sale.terminal?.serial_number ?? sale.payment_link_code ?? none;
}

export const HIDDEN_AT_FIRST = ["origin", "capturedAt"] as const;
/** For staff, the brand is hidden too: they have the company's column. */
export const STAFF_HIDDEN_AT_FIRST = [...HIDDEN_AT_FIRST, "brand"] as const;
export const ORDER_COLUMN = "occurredAt";

function columnsOf<Row extends SaleRow>(listPath: SalesListPath) {
  const column = columnsFor<Row>();
  // A column that the list cannot be sorted by.
  const shown = (id: keyof typeof titles, cell: (sale: Row) => ReactNode, align?: "end") =>
    column.shown(id, titles[id], (row) => cell(row), { align });
  return {
    shown,
    code: column.shown(
      "code",
      titles.code,
      (row) => <RowLink target={saleTarget(row, listPath)}>{shortCode(row.id)}</RowLink>,
      { fixed: true },
    ),
    facts: [
      column.ordered(ORDER_COLUMN, titles.occurredAt, (row) => <Instant at={row.occurred_at} />),
      shown("status", (sale) => <SaleBadge sale={sale} />),
      shown("solution", ({ solution }) => solutionName(solution)),
      shown("payment", ({ payment_type, payment_method }) =>
        paymentText(payment_type, payment_method.installments),
      ),
      shown("brand", ({ payment_method: { card_brand, card_last_four } }) =>
        card_brand ? <CardBrand brand={card_brand} lastFour={card_last_four} /> : none,
      ),
      shown("origin", (sale) => <span title={originText(sale)}>{truncate(originText(sale))}</span>),
      shown("capturedAt", ({ captured_at }) => (captured_at ? <Instant at={captured_at} /> : none)),
      shown("gross", (sale) => <SaleAmount sale={sale} />, "end"),
      shown("net", (sale) => <Net sale={sale} listPath={listPath} />, "end"),
    ],
  };
}

const seller = columnsOf<SaleRow>("/vendas");
export const saleColumns = [seller.code, ...seller.facts];

const machine = columnsOf<SaleRow>("/maquininha/vendas");
export const machineSaleColumns = [machine.code, ...machine.facts];

const link = columnsOf<SaleRow>("/links-de-pagamento/vendas");
export const linkSaleColumns = [link.code, ...link.facts];

const staff = columnsOf<AdminSaleRow>("/vendas");
export const staffSaleColumns = [
  staff.code,
  staff.shown("business", ({ business: { name } }) => <span title={name}>{truncate(name)}</span>),
  ...staff.facts,
];

export function saleCard(sale: SaleRow): Card {
  const brand = sale.payment_method.card_brand;
  const payment = paymentText(sale.payment_type, sale.payment_method.installments);
  return {
    title: brand ? `${payment} · ${brandName(brand)}` : payment,
    value: <SaleAmount sale={sale} />,
    note: <Instant at={sale.occurred_at} />,
    badge: <SaleBadge sale={sale} />,
  };
}

export function staffSaleCard(sale: AdminSaleRow): Card {
  const card = saleCard(sale);
  return {
    ...card,
    title: sale.business.name,
    note: (
      <>
        {card.title} · {card.note}
      </>
    ),
  };
}
