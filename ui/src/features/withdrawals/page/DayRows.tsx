// A day of a withdrawal as rows of a table: the day, and below it, once it is opened, its sales and installments.
import { Button, Skeleton, Table, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import type { Transfer, TransferDay } from "../../../api/models";
import { FailureNotice } from "../../../components/Notice";
import { money, wholeNumber } from "../../../format/money";
import { strings } from "../../../strings/pt-BR";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { creditName } from "./creditName";
import { SaleLink, SaleText } from "./creditText";
import { type CreditsPage, DayCredits } from "./DayCredits";
import { bySale, type CreditGroup, sumOf, sumsOf } from "./days";
import { dayText } from "./dayText";
import styles from "./WithdrawalPage.module.css";

const words = withdrawalsStrings.composition;

interface DayRowsProps {
  transfer: Transfer;
  day: TransferDay;
  /** Whether the table has the column of what was withheld. */
  withheld: boolean;
}

export function DayRows({ transfer, day, withheld }: DayRowsProps) {
  const [open, setOpen] = useState(false);
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <Table.Tbody data-open={open || undefined}>
      <Table.Tr>
        <Table.Th scope="row">
          {day.day ? (
            <UnstyledButton className={styles.opener} aria-expanded={open} onClick={() => setOpen(!open)}>
              <Icon size={16} aria-hidden />
              {dayText(day)}
            </UnstyledButton>
          ) : (
            dayText(day)
          )}
        </Table.Th>
        <Table.Td data-align="end">{wholeNumber(day.sales)}</Table.Td>
        <Amounts sums={day} withheld={withheld} />
      </Table.Tr>
      {open && day.day && (
        <DayCredits transfer={transfer} day={day.day}>
          {(page) => <CreditRows page={page} withheld={withheld} />}
        </DayCredits>
      )}
    </Table.Tbody>
  );
}

/** An amount that is deducted; a dash if there is none. */
export const deducted = (cents: number) => (cents === 0 ? strings.list.none : money(-cents));

function Amounts({ sums, withheld }: { sums: ReturnType<typeof sumOf>; withheld: boolean }) {
  return (
    <>
      <Table.Td data-align="end">{money(sums.gross)}</Table.Td>
      <Table.Td data-align="end">{deducted(sums.fees)}</Table.Td>
      <Table.Td data-align="end">{deducted(sums.refunded)}</Table.Td>
      {withheld && <Table.Td data-align="end">{deducted(sums.withheld)}</Table.Td>}
      <Table.Td data-align="end">{money(sums.net)}</Table.Td>
      <Table.Td data-align="end" className={styles.used}>
        {money(sums.used)}
      </Table.Td>
    </>
  );
}

function CreditRows({ page, withheld }: { page: CreditsPage; withheld: boolean }) {
  const columns = withheld ? 8 : 7;
  if (!page.data) {
    return (
      <Table.Tr>
        <Table.Td colSpan={columns}>
          {page.error ? (
            <FailureNotice failure={page.error} onRetry={page.retry} />
          ) : (
            <Skeleton height={60} />
          )}
        </Table.Td>
      </Table.Tr>
    );
  }
  return (
    <>
      {bySale(page.data.data).map((group, index) => (
        // The credits of a page never change places.
        <SaleRows key={group.sale ?? index} group={group} withheld={withheld} />
      ))}
      {page.more && (
        <Table.Tr>
          <Table.Td colSpan={columns}>
            <Button variant="default" size="xs" onClick={page.more}>
              {words.more}
            </Button>
          </Table.Td>
        </Table.Tr>
      )}
    </>
  );
}

/** A sale with one installment is one row. With several, each has a row below the sale. */
function SaleRows({ group: { sale, credits }, withheld }: { group: CreditGroup; withheld: boolean }) {
  const [first] = credits;
  if (!first) return null;
  const single = credits.length === 1;
  return (
    <>
      <Table.Tr className={styles.sale}>
        <Table.Td colSpan={2} className={styles.saleCell}>
          {sale && <SaleLink sale={sale} />}
          <span>
            {(single || !sale) && creditName(first)}
            {sale && (
              <small>
                <SaleText credit={first} />
              </small>
            )}
          </span>
        </Table.Td>
        <Amounts sums={sumOf(credits.map(sumsOf))} withheld={withheld} />
      </Table.Tr>
      {!single &&
        credits.map((credit, index) => (
          <Table.Tr key={credit.movement?.id ?? index} className={styles.installment}>
            <Table.Td colSpan={2} className={styles.installmentCell}>
              {creditName(credit)}
            </Table.Td>
            <Amounts sums={sumsOf(credit)} withheld={withheld} />
          </Table.Tr>
        ))}
    </>
  );
}
