// A month on a narrow screen: a list of the days on which something is due.
import { Skeleton } from "@mantine/core";
import shared from "../../components/Shared.module.css";
import { businessDate } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import { DayShares } from "./DayShares";
import { dayText } from "./dayText";
import type { MonthViewProps } from "./MonthGrid";
import styles from "./Receivables.module.css";

const words = receivablesStrings.receivables;
const SKELETON_ROWS = 12;

export function MonthList({ label, days, today, onOpen }: MonthViewProps) {
  return (
    <ul className={styles.monthList} aria-label={label} aria-busy={days === undefined}>
      {days?.map((day) => (
        <li key={day.due_date}>
          <button
            type="button"
            className={styles.listedDay}
            aria-label={dayText(day)}
            aria-current={day.due_date === today ? "date" : undefined}
            onClick={() => onOpen(day.due_date)}
          >
            <span className={styles.line}>
              <strong>{businessDate(day.due_date, "ddd, DD/MM")}</strong>
              <strong>{money(day.expected)}</strong>
            </span>
            <span className={styles.line}>
              <DayShares of={day} />
              <span className={shared.dim}>{words.count(day.count, wholeNumber(day.count))}</span>
            </span>
          </button>
        </li>
      )) ??
        Array.from({ length: SKELETON_ROWS }, (_, row) => (
          <li key={row} className={styles.listedDay}>
            <Skeleton height={17} width="80%" my={4} />
            <Skeleton height={14} width="55%" mt={9} mb={3} />
          </li>
        ))}
    </ul>
  );
}
