// The columns of a statement, and the same line as a card. Sellers and staff add one column each.
import {
  IconAdjustments,
  IconArrowBackUp,
  IconArrowUpRight,
  IconReceipt,
  IconReceiptRefund,
} from "@tabler/icons-react";
import type { BalanceMovement } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
import { WithdrawalLink, withdrawalOf } from "../../components/WithdrawalLink";
import { money } from "../../format/money";
import { truncate } from "../../format/text";
import { balanceStrings } from "../../strings/pt-BR.balance";
import type { Axis } from "./asOf";
import { AxisInstant, axisColumns } from "./axisColumns";
import styles from "./Balance.module.css";
import { descriptionText, kindText, saleText } from "./statementText";

const titles = balanceStrings.statement.columns;
/** By the kind of a movement. The kinds' names are in `balanceStrings.movementKind`. */
const KIND_ICONS: Readonly<Record<number, typeof IconReceipt>> = {
  0: IconReceipt,
  1: IconReceiptRefund,
  2: IconArrowUpRight,
  3: IconAdjustments,
  4: IconArrowBackUp,
};

/** The icon of the line's kind before `text`. */
function Kind({ kind, text }: { kind: number; text: string }) {
  const Icon = KIND_ICONS[kind];
  return (
    <span className={styles.kind}>
      {Icon && <Icon size={16} stroke={1.8} aria-hidden />}
      {text}
    </span>
  );
}

export function Amount({ cents }: { cents: number }) {
  return (
    <span className={styles.amount} data-direction={cents > 0 ? "in" : "out"}>
      {cents > 0 ? "+" : ""}
      {money(cents)}
    </span>
  );
}

export function columnsOf<Line extends BalanceMovement>(axis: Axis) {
  const column = columnsFor<Line>();
  const { occurredAt, recordedAt } = axisColumns<Line>(axis, titles);
  return {
    column,
    facts: [
      occurredAt,
      column.shown("kind", titles.kind, (row) => (
        <span className={styles.words}>
          <Kind kind={row.kind} text={kindText(row)} />
        </span>
      )),
      column.shown("description", titles.description, (row) => (
        <span className={styles.words} title={descriptionText(row)}>
          <WithdrawalLink id={withdrawalOf(row)}>{truncate(descriptionText(row), 60)}</WithdrawalLink>
        </span>
      )),
      recordedAt,
    ],
    amounts: [
      column.shown("amount", titles.amount, (row) => <Amount cents={row.amount} />, { align: "end" }),
      column.shown("balance", titles.balance, (row) => money(row.balance), { align: "end" }),
    ],
  };
}

function statementCard(line: BalanceMovement, axis: Axis): Card {
  const text = saleText(line);
  return {
    title: <Kind kind={line.kind} text={line.description} />,
    value: <Amount cents={line.amount} />,
    note: (
      <>
        <AxisInstant of={line} axis={axis} />
        {text && <span className={styles.small}>{text}</span>}
      </>
    ),
    badge: (
      <span className={`${styles.small} ${styles.balanceAfter}`}>
        {balanceStrings.balance.available} {money(line.balance)}
      </span>
    ),
  };
}

export const statementCards = {
  effective: (line: BalanceMovement) => statementCard(line, "effective"),
  recorded: (line: BalanceMovement) => statementCard(line, "recorded"),
};
