// The columns of the differences, and the same row as a card.
import type { ReactNode } from "react";
import type { SettlementDifference } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Badge } from "../../components/StatusBadge";
import { columnsFor } from "../../components/table/columns";
import type { Card, RowTarget } from "../../components/table/DataTable";
import { searchOpening } from "../../components/table/opened";
import { RowLink } from "../../components/table/RowLink";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import styles from "./Reconciliation.module.css";

const words = settlementsStrings.differences;
const titles = words.columns;
const { none } = settlementsStrings;

const TONES = { open: "wait", resolved: "good", gone: "quiet" } as const;

function DifferenceBadge({ state }: Pick<SettlementDifference, "state">) {
  return <Badge tone={TONES[state]}>{words.states[state]}</Badge>;
}

/** The difference, opened over the list. */
export function differenceTarget({ id, kind, reference }: SettlementDifference): RowTarget {
  return {
    to: { search: searchOpening("difference", id) },
    label: words.open(words.kinds[kind], reference ?? ""),
  };
}

const cents = (amount: number | null) => (amount === null ? none : money(amount));
const day = (date: string | null) => (date ? businessDate(date) : none);
const short = (text: string | null, className = "") =>
  text === null ? (
    none
  ) : (
    <span className={`${styles.truncated} ${className}`} title={text}>
      {text}
    </span>
  );

const column = columnsFor<SettlementDifference>();

const shown = (id: keyof typeof titles, cell: (row: SettlementDifference) => ReactNode, align?: "end") =>
  column.shown(id, titles[id], (row) => cell(row), { align });

export const ORDER_COLUMN = "day";
export const HIDDEN_AT_FIRST = [
  "sale",
  "installment",
  "expectedOn",
  "reportedOn",
  "file",
  "line",
  "reason",
  "resolvedBy",
  "resolvedAt",
] as const;

export const differenceColumns = [
  column.ordered(ORDER_COLUMN, titles.day, (row) => businessDate(row.day), { fixed: true }),
  column.shown(
    "kind",
    titles.kind,
    (row) => <RowLink target={differenceTarget(row)}>{words.kinds[row.kind]}</RowLink>,
    { fixed: true },
  ),
  shown("provider", ({ provider }) => providerName(provider)),
  shown("business", ({ business_name }) => short(business_name)),
  shown("sale", ({ sale_id }) => short(sale_id)),
  shown("installment", ({ installment }) => wholeNumber(installment), "end"),
  shown("reference", ({ reference }) => short(reference, styles.reference)),
  shown("expected", ({ expected }) => cents(expected), "end"),
  shown("reported", ({ reported }) => cents(reported), "end"),
  shown("delta", ({ delta }) => money(delta), "end"),
  shown("expectedOn", ({ expected_on }) => day(expected_on)),
  shown("reportedOn", ({ reported_on }) => day(reported_on)),
  shown("file", ({ file_name }) => short(file_name)),
  shown("line", ({ line }) => (line === null ? none : wholeNumber(line)), "end"),
  shown("state", ({ state }) => <DifferenceBadge state={state} />),
  shown("reason", ({ reason }) => short(reason)),
  shown("resolvedBy", ({ resolved_by }) => short(resolved_by)),
  shown("resolvedAt", ({ resolved_at }) => (resolved_at ? <Instant at={resolved_at} /> : none)),
];

/** The amount on a card. `delta` compares gross amounts, so for kind `fee` the card compares the costs instead. */
function differenceOf({ kind, expected, reported, delta }: SettlementDifference): number {
  return kind === "fee" ? (reported ?? 0) - (expected ?? 0) : delta;
}

export function differenceCard(row: SettlementDifference): Card {
  return {
    title: words.kinds[row.kind],
    value: money(differenceOf(row)),
    note: `${businessDate(row.day)} · ${providerName(row.provider)} · ${row.business_name ?? row.reference ?? none}`,
    badge: <DifferenceBadge state={row.state} />,
  };
}
