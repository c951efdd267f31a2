// What a company owes, why, and from which coming receivables it is recovered. Shown only while the balance is below
// zero.
import { Table } from "@mantine/core";
import type { ReactNode } from "react";
import type { Debts } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { ScrollRegion } from "../../components/ScrollRegion";
import shared from "../../components/Shared.module.css";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { debtsStrings as words } from "../../strings/pt-BR.debts";
import styles from "./Debts.module.css";

/** The days that are listed; the sentence below them names the last one. */
const DAYS = 6;

interface DebtPanelProps {
  debts: Debts;
  hint: string;
  action?: ReactNode;
}

export function DebtPanel({ debts, hint, action }: DebtPanelProps) {
  if (debts.debt === 0) return null;
  const days = debts.recovery.slice(0, DAYS);
  const more = debts.recovery.length - days.length;
  return (
    <Panel title={words.panel(money(debts.debt))} hint={hint} action={action}>
      <h3 className={shared.section}>{words.causes}</h3>
      <ScrollRegion className={styles.scroll} label={words.causes}>
        <Table aria-label={words.causes} className={styles.table}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.cause.at}</Table.Th>
              <Table.Th scope="col">{words.cause.description}</Table.Th>
              <Table.Th scope="col" data-align="end">
                {words.cause.owed}
              </Table.Th>
              <Table.Th scope="col" data-align="end" data-derived>
                {words.cause.recovered}
              </Table.Th>
              <Table.Th scope="col" data-align="end">
                {words.cause.open}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {debts.causes.map((cause) => (
              <Table.Tr key={`${cause.occurred_at} ${cause.transfer_id ?? cause.sale_id} ${cause.amount}`}>
                <Table.Td>
                  <Instant at={cause.occurred_at} />
                </Table.Td>
                <Table.Td>
                  {cause.description}
                  {cause.recovered.length > 0 && (
                    <ul className={styles.credits} aria-label={words.recoveredBy}>
                      {cause.recovered.map((credit) => (
                        <li key={`${credit.occurred_at} ${credit.description} ${credit.amount}`}>
                          {money(credit.amount)} · {credit.description} · <Instant at={credit.occurred_at} />
                        </li>
                      ))}
                    </ul>
                  )}
                </Table.Td>
                <Table.Td data-align="end">{money(cause.owed)}</Table.Td>
                <Table.Td data-align="end" data-derived>
                  {money(cause.owed - cause.open)}
                </Table.Td>
                <Table.Td data-align="end">{money(cause.open)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {debts.unlisted > 0 && <p className={shared.note}>{words.unlisted(money(debts.unlisted))}</p>}
      <h3 className={shared.section}>{words.recovery}</h3>
      {days.length > 0 && (
        <ScrollRegion className={styles.scroll} label={words.recovery}>
          <Table aria-label={words.recovery} className={styles.table}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">{words.day.date}</Table.Th>
                <Table.Th scope="col" data-align="end">
                  {words.day.expected}
                </Table.Th>
                <Table.Th scope="col" data-align="end">
                  {words.day.taken}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map((day) => (
                <Table.Tr key={day.date}>
                  <Table.Td>{businessDate(day.date)}</Table.Td>
                  <Table.Td data-align="end">{money(day.expected)}</Table.Td>
                  <Table.Td data-align="end">{money(day.taken)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollRegion>
      )}
      {more > 0 && <p className={shared.note}>{words.more(more)}</p>}
      {debts.ends_on && <p className={shared.note}>{words.endsOn(businessDate(debts.ends_on))}</p>}
      {debts.uncovered > 0 && <p className={shared.note}>{words.uncovered(money(debts.uncovered))}</p>}
    </Panel>
  );
}
