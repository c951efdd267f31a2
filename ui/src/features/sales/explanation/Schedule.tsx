// The installments of an explained sale: amounts, cost of the advance, and moved dates.
import { Table } from "@mantine/core";
import type { Explanation, ExplanationInstallment } from "../../../api/models";
import { useIsNarrow } from "../../../components/breakpoints";
import { ScrollRegion } from "../../../components/ScrollRegion";
import shared from "../../../components/Shared.module.css";
import { UnbrokenNumbers } from "../../../components/UnbrokenNumbers";
import { businessDate } from "../../../format/dates";
import { exactMoney } from "../../../format/exact";
import { money } from "../../../format/money";
import { strings } from "../../../strings/pt-BR";
import { explanationStrings } from "../../../strings/pt-BR.explanation";
import { overviewStrings } from "../../../strings/pt-BR.overview";
import styles from "./Explanation.module.css";
import { closedDayText, type MovedDate, movedDates, movedText, roundingText, splitText } from "./rules";

const words = explanationStrings.explanation;

export function Schedule({ explanation }: { explanation: Explanation }) {
  const { installments } = explanation;
  const advanced = installments.some(({ advance }) => advance !== null);
  const narrow = useIsNarrow();
  return (
    <section aria-label={words.schedule}>
      <h3 className={shared.section}>{words.schedule}</h3>
      {narrow ? (
        <Lines installments={installments} />
      ) : (
        <Rows installments={installments} advanced={advanced} />
      )}
      {installments.length > 1 && <p className={styles.hint}>{splitText(explanation)}</p>}
      <MovedDates dates={movedDates(installments)} />
    </section>
  );
}

/** On a narrow screen: one block for each installment. */
function Lines({ installments }: Pick<Explanation, "installments">) {
  return (
    <ol className={styles.steps} aria-label={words.schedule}>
      {installments.map((installment) => (
        <li key={installment.number}>
          <p className={styles.step}>
            <span>
              {installment.number}/{installments.length} · {businessDate(installment.due_date)}
            </span>
            <strong>{money(installment.net)}</strong>
          </p>
          <p className={styles.note}>
            {overviewStrings.overview.gross} {money(installment.gross)} · {words.fees}{" "}
            {money(-installment.fees)}
          </p>
          {installment.advance && (
            <p className={styles.note}>
              {words.advance} {money(-installment.advance.cost)}:{" "}
              <UnbrokenNumbers>{advanceText(installment.advance)}</UnbrokenNumbers>
            </p>
          )}
        </li>
      ))}
    </ol>
  );
}

function Rows({ installments, advanced }: Pick<Explanation, "installments"> & { advanced: boolean }) {
  return (
    <ScrollRegion label={words.schedule} className={styles.scroll}>
      <Table className={styles.table} aria-label={words.schedule}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.number}</Table.Th>
            {[overviewStrings.overview.gross, words.fees, overviewStrings.overview.net].map((title) => (
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
  );
}

function advanceText({ base, days, unrounded, cost }: NonNullable<ExplanationInstallment["advance"]>) {
  return `${words.advanceDetail(money(base), days, exactMoney(unrounded))}, ${roundingText(unrounded, cost)}`;
}

function Advance({ of: { advance } }: { of: ExplanationInstallment }) {
  if (!advance) return <Table.Td>{strings.list.none}</Table.Td>;
  return (
    <Table.Td>
      {money(-advance.cost)}
      <small className={styles.detail}>
        <UnbrokenNumbers>{advanceText(advance)}</UnbrokenNumbers>
      </small>
    </Table.Td>
  );
}

function MovedDates({ dates }: { dates: readonly MovedDate[] }) {
  if (dates.length === 0) return null;
  return (
    <>
      <h3 className={shared.section}>{words.moved}</h3>
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
