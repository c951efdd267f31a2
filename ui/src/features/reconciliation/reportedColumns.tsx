// The columns of the payments that acquirers report, and the same row as a card.
import type { ReactNode } from "react";
import type { AcquirerReceivable } from "../../api/models";
import { columnsFor } from "../../components/table/columns";
import type { Card } from "../../components/table/DataTable";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { providerName } from "../../format/payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";
import styles from "./Reconciliation.module.css";

const words = settlementsStrings.reported;
const titles = words.columns;
const { none } = settlementsStrings;

const column = columnsFor<AcquirerReceivable>();
const shown = (id: keyof typeof titles, cell: (row: AcquirerReceivable) => ReactNode, align?: "end") =>
  column.shown(id, titles[id], (row) => cell(row), { align });

const short = (text: string | null) => (
  <span className={`${styles.truncated} ${styles.reference}`} title={text ?? undefined}>
    {text ?? none}
  </span>
);
const entryText = ({ canceled, entry }: AcquirerReceivable) =>
  canceled ? words.canceled : words.entries[entry];

export const REPORTED_HIDDEN_AT_FIRST = ["names", "authorization", "sale", "times", "file", "line"] as const;

export const reportedColumns = [
  shown("day", ({ day }) => businessDate(day)),
  shown("provider", ({ provider }) => providerName(provider)),
  shown("reference", ({ reference }) => short(reference)),
  shown("names", ({ names, reference }) =>
    short(names.filter((name) => name !== reference).join(", ") || null),
  ),
  shown("authorization", ({ authorization_code }) => authorization_code ?? none),
  shown("installment", ({ installment }) => wholeNumber(installment), "end"),
  shown("entry", entryText),
  shown("sale", ({ sale_id }) => short(sale_id)),
  shown("gross", ({ gross }) => money(gross), "end"),
  shown("cost", ({ cost }) => (cost === null ? none : money(cost)), "end"),
  shown("net", ({ net }) => money(net), "end"),
  shown("times", ({ times }) => wholeNumber(times), "end"),
  shown("expectedOn", ({ expected_on }) => (expected_on ? businessDate(expected_on) : none)),
  shown("paidOn", ({ paid_on }) => (paid_on ? businessDate(paid_on) : none)),
  shown("file", ({ file_name }) => short(file_name)),
  shown("line", ({ line }) => (line === null ? none : wholeNumber(line)), "end"),
];

export function reportedCard(row: AcquirerReceivable): Card {
  return {
    title: row.reference,
    value: money(row.gross),
    note: `${businessDate(row.day)} · ${providerName(row.provider)}`,
    badge: entryText(row),
  };
}
