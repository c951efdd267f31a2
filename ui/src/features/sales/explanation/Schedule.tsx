// The instalments of an explained sale: what each leaves net, what its advance costs, and what moved its date.
import { Table } from "@mantine/core";
import type { Explanation, ExplanationInstallment } from "../../../api/models";
import { ScrollRegion } from "../../../components/ScrollRegion";
import { businessDate } from "../../../format/dates";
import { exactMoney } from "../../../format/exact";
import { money } from "../../../format/money";
import { strings } from "../../../strings/pt-BR";
import styles from "./Explanation.module.css";
import { closedDayText, type MovedDate, movedDates, movedText, roundingText } from "./rules";

const words = strings.explanation;

export function Schedule({ explanation }: { explanation: Explanation }) {
  const { installments } = explanation;
  const advanced = installments.some(({ advance }) => advance !== null);
  return (
    <section aria-label={words.schedule}>
      <h3 className={styles.section}>{words.schedule}</h3>
      <ScrollRegion label={words.schedule} className={styles.scroll}>
        <Table className={styles.table} aria-label={words.schedule}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.number}</Table.Th>
              {[strings.overview.gross, words.fees, strings.overview.net].map((title) => (
                <Table.Th key={title} scope="col" data-align="end">
                  {title}
                </Table.Th>
              ))}
              <Table.Th scope="col">{words.dueDate}</Table.Th>
              {advanced && <Table.Th scope="col">{words.advance}</Table.Th>}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {installments.map((installment) => (
              <Table.Tr key={installment.number}>
                <Table.Td>
                  {installment.number}/{installments.length}
                </Table.Td>
                <Table.Td data-align="end">{money(installment.gross)}</Table.Td>
                <Table.Td data-align="end">{money(-installment.fees)}</Table.Td>
                <Table.Td data-align="end">{money(installment.net)}</Table.Td>
                <Table.Td>{businessDate(installment.due_date)}</Table.Td>
                {advanced && <Advance of={installment} />}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
      {installments.length > 1 && (
        <p className={styles.hint}>{explanation.net_is_split ? words.netIsSplit : words.split}</p>
      )}
      <MovedDates dates={movedDates(installments)} />
    </section>
  );
}

function Advance({ of: { advance } }: { of: ExplanationInstallment }) {
  if (!advance) return <Table.Td>{strings.list.none}</Table.Td>;
  return (
    <Table.Td>
      {money(-advance.cost)}
      <small className={styles.detail}>
        {words.advanceDetail(money(advance.base), advance.days, exactMoney(advance.unrounded))},{" "}
        {roundingText(advance.unrounded, advance.cost)}
      </small>
    </Table.Td>
  );
}

function MovedDates({ dates }: { dates: readonly MovedDate[] }) {
  if (dates.length === 0) return null;
  return (
    <>
      <h3 className={styles.section}>{words.moved}</h3>
      <ul className={styles.moved} aria-label={words.moved}>
        {dates.map((moved) => (
          <li key={moved.first}>
            {movedText(moved)}
            <small className={styles.detail}>
              {words.closed} {moved.closed_days.map(closedDayText).join("; ")}
            </small>
          </li>
        ))}
      </ul>
    </>
  );
}
