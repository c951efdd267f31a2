// The columns of the schedule by unit, the same unit as a card, and the name of a unit.
import type { ReceivablesUnit } from "../../api/models";
import { CardBrand } from "../../components/CardBrand";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { taxId } from "../../format/documents";
import { money, wholeNumber } from "../../format/money";
import { brandName, providerName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { DayShares } from "./DayShares";
import { searchOfDay } from "./filters";
import styles from "./Receivables.module.css";
import { scheduledOf } from "./sums";

const words = receivablesStrings.receivables;
const titles = words.units.columns;
const PAYMENT_TYPES: Readonly<Record<string, string>> = paymentStrings.payment.types;

/** The payment type of a unit, without a number of installments: "Crédito". */
const paymentTypeText = (type: string) => PAYMENT_TYPES[type] ?? type;

/** "Zoop · Visa · Crédito" */
export function unitText(provider: number | null, brand: string | null, type: string | null): string {
  return [
    provider !== null && providerName(provider),
    brand && brandName(brand),
    type && paymentTypeText(type),
  ]
    .filter(Boolean)
    .join(" · ");
}

export const unitKey = ({ due_date, acquirer, card_brand, payment_type }: ReceivablesUnit) =>
  [due_date, acquirer, card_brand, payment_type].join();

export function unitTarget(unit: ReceivablesUnit): RowTarget {
  const { due_date, acquirer, card_brand, payment_type } = unit;
  return {
    to: {
      search: searchOfDay({ day: due_date, provider: acquirer, brand: card_brand, type: payment_type }),
    },
    label: words.units.open(unitText(acquirer, card_brand, payment_type), businessDate(due_date)),
  };
}

const column = columnsFor<ReceivablesUnit>();

const amount = (id: keyof typeof titles, cents: (unit: ReceivablesUnit) => number) =>
  column.shown(id, titles[id], (row) => money(cents(row)), { align: "end" });

export const unitColumns = [
  column.shown(
    "dueDate",
    titles.dueDate,
    (row) => <RowLink target={unitTarget(row)}>{businessDate(row.due_date)}</RowLink>,
    { fixed: true },
  ),
  column.shown("holder", titles.holder, (row) => (
    <span className={styles.holder}>
      {row.holder.name}
      <small>{taxId(row.holder.document)}</small>
    </span>
  )),
  column.shown("acquirer", titles.acquirer, (row) => providerName(row.acquirer)),
  column.shown("brand", titles.brand, (row) =>
    row.card_brand ? <CardBrand brand={row.card_brand} /> : strings.list.none,
  ),
  column.shown("payment", titles.payment, (row) => paymentTypeText(row.payment_type)),
  column.shown("count", titles.count, (row) => wholeNumber(row.installments), { align: "end" }),
  amount("expected", (unit) => unit.expected),
  amount("settled", (unit) => unit.settled),
  amount("accelerated", (unit) => unit.accelerated),
  amount("scheduled", scheduledOf),
];

export function unitCard(unit: ReceivablesUnit): Card {
  return {
    title: unitText(unit.acquirer, unit.card_brand, unit.payment_type),
    value: money(unit.expected),
    note: `${businessDate(unit.due_date)} · ${words.count(unit.installments, wholeNumber(unit.installments))}`,
    badge: (
      <span className={styles.mark}>
        <DayShares of={unit} />
      </span>
    ),
  };
}
