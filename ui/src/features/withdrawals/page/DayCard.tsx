// A day of a withdrawal on a phone: a line that opens, with the day's sales below it.
import { Button, Skeleton, UnstyledButton } from "@mantine/core";
import { IconChevronDown, IconChevronRight } from "@tabler/icons-react";
import { useState } from "react";
import type { Transfer, TransferDay } from "../../../api/models";
import { FailureNotice } from "../../../components/Notice";
import { money } from "../../../format/money";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { creditName } from "./creditName";
import { SaleLink, SaleText } from "./creditText";
import { type CreditsPage, DayCredits } from "./DayCredits";
import { bySale, type CreditGroup, sumOf, sumsOf } from "./days";
import { dayText } from "./dayText";
import styles from "./WithdrawalPage.module.css";

const words = withdrawalsStrings.composition;

/** "bruto R$ 100,00 − taxas R$ 3,99", without what is zero. */
function amountsText({ gross, fees, refunded, withheld }: ReturnType<typeof sumOf>): string {
  const { amounts } = words;
  const deducted = [
    [amounts.fees, fees],
    [amounts.refunded, refunded],
    [amounts.withheld, withheld],
  ] as const;
  const parts = deducted.filter(([, cents]) => cents !== 0).map(([text, cents]) => text(money(cents)));
  return [amounts.gross(money(gross)), ...parts].join(" − ");
}

export function DayCard({ transfer, day }: { transfer: Transfer; day: TransferDay }) {
  const [open, setOpen] = useState(false);
  const Icon = open ? IconChevronDown : IconChevronRight;
  return (
    <li data-open={open || undefined}>
      <UnstyledButton className={styles.dayCard} aria-expanded={open} onClick={() => setOpen(!open)}>
        {day.day && <Icon size={18} aria-hidden />}
        <span className={styles.dayCardText}>
          <strong>{dayText(day)}</strong>
          <small>
            {words.salesOf(day.sales)} · {amountsText(day)}
          </small>
        </span>
        <strong>{money(day.used)}</strong>
      </UnstyledButton>
      {open && day.day && (
        <ul className={styles.saleCards}>
          <DayCredits transfer={transfer} day={day.day}>
            {(page) => <Credits page={page} />}
          </DayCredits>
        </ul>
      )}
    </li>
  );
}

function Credits({ page }: { page: CreditsPage }) {
  if (!page.data) {
    return (
      <li>
        {page.error ? <FailureNotice failure={page.error} onRetry={page.retry} /> : <Skeleton height={60} />}
      </li>
    );
  }
  return (
    <>
      {bySale(page.data.data).map((group, index) => (
        // The credits of a page never change places.
        <SaleCard key={group.sale ?? index} group={group} />
      ))}
      {page.more && (
        <li>
          <Button variant="default" size="xs" onClick={page.more}>
            {words.more}
          </Button>
        </li>
      )}
    </>
  );
}

function SaleCard({ group: { sale, credits } }: { group: CreditGroup }) {
  const [first] = credits;
  if (!first) return null;
  return (
    <li className={styles.saleCard}>
      <span className={styles.saleText}>
        {sale && <SaleLink sale={sale} />}
        {sale && (
          <small>
            <SaleText credit={first} />
          </small>
        )}
        {credits.map((credit, index) => (
          <small key={credit.movement?.id ?? index}>
            {creditName(credit)} · {amountsText(sumsOf(credit))}
          </small>
        ))}
      </span>
      <strong className={styles.saleAmount}>{money(sumOf(credits.map(sumsOf)).used)}</strong>
    </li>
  );
}
