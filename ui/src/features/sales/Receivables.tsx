// The installments that a sale pays to the seller: amounts, due dates, and status.
import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Receivable, SaleDetail } from "../../api/models";
import { useIsPhone } from "../../components/breakpoints";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import { ReceivableBadge } from "../../components/StatusBadge";
import type { Card } from "../../components/table/DataTable";
import { RowCards } from "../../components/table/RowCards";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { overviewStrings } from "../../strings/pt-BR.overview";
import { salesStrings } from "../../strings/pt-BR.sales";
import { ExplanationButton } from "./explanation/ExplanationButton";
import { acceleratedText } from "./reversalState";
import styles from "./SalePage.module.css";

const words = salesStrings.sale;

export function Receivables({ sale: { receivables, events } }: { sale: SaleDetail }) {
  const phone = useIsPhone();
  if (receivables.length === 0) {
    return (
      <Panel title={words.receivables}>
        <p className={styles.note}>{words.noReceivables}</p>
      </Panel>
    );
  }
  const accelerated = acceleratedText(events);
  const badge = ({ status }: Receivable) => (
    <ReceivableBadge status={status} text={status === "accelerated" ? accelerated : undefined} />
  );
  return (
    <Panel title={words.receivables} hint={words.receivablesHint} action={<ExplanationButton />} flush>
      {phone ? (
        <Cards receivables={receivables} badge={badge} />
      ) : (
        <Lines receivables={receivables} badge={badge} />
      )}
    </Panel>
  );
}

interface InstallmentsProps {
  receivables: readonly Receivable[];
  badge: (receivable: Receivable) => ReactNode;
}

/** What refunds and disputes of a part took of an installment that still pays the rest. */
const takenText = ({ status, refunded }: Receivable): string | undefined =>
  refunded > 0 && status !== "refunded" ? words.taken(money(refunded)) : undefined;

const sumOf = (receivables: readonly Receivable[], part: "gross" | "net") =>
  receivables.reduce((total, row) => total + row[part], 0);

function Cards({ receivables, badge }: InstallmentsProps) {
  const card = (row: Receivable): Card => ({
    title: `${row.number}/${receivables.length} · ${businessDate(row.due_date)}`,
    value: money(row.net),
    note:
      takenText(row) ??
      (row.paid_on
        ? words.on(businessDate(row.paid_on))
        : `${overviewStrings.overview.gross} ${money(row.gross)}`),
    badge: badge(row),
  });
  return (
    <>
      <RowCards
        label={words.receivables}
        rows={receivables}
        stale={false}
        rowId={({ number }) => String(number)}
        card={card}
      />
      <p className={styles.receivablesTotal}>
        <span>{words.total}</span>
        <strong>{money(sumOf(receivables, "net"))}</strong>
      </p>
    </>
  );
}

function Lines({ receivables, badge }: InstallmentsProps) {
  return (
    <ScrollRegion className={styles.scroll} label={words.receivables}>
      <Table className={styles.receivables} aria-label={words.receivables}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.number}</Table.Th>
            <Table.Th scope="col">{words.dueDate}</Table.Th>
            <Table.Th scope="col" data-align="end">
              {overviewStrings.overview.gross}
            </Table.Th>
            <Table.Th scope="col" data-align="end">
              {overviewStrings.overview.net}
            </Table.Th>
            <Table.Th scope="col">{words.status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {receivables.map((row) => (
            <Table.Tr key={row.number}>
              <Table.Td>
                {row.number}/{receivables.length}
              </Table.Td>
              <Table.Td>{businessDate(row.due_date)}</Table.Td>
              <Table.Td data-align="end">{money(row.gross)}</Table.Td>
              <Table.Td data-align="end">{money(row.net)}</Table.Td>
              <Table.Td>
                {badge(row)}
                {row.paid_on && (
                  <small className={styles.underBadge}>{words.on(businessDate(row.paid_on))}</small>
                )}
                {takenText(row) && <small className={styles.underBadge}>{takenText(row)}</small>}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
        <Table.Tfoot>
          <Table.Tr>
            <Table.Th scope="row" colSpan={2}>
              {words.total}
            </Table.Th>
            <Table.Td data-align="end">{money(sumOf(receivables, "gross"))}</Table.Td>
            <Table.Td data-align="end">{money(sumOf(receivables, "net"))}</Table.Td>
            <Table.Td />
          </Table.Tr>
        </Table.Tfoot>
      </Table>
    </ScrollRegion>
  );
}
