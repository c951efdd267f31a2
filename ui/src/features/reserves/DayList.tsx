// A list of days with an amount each, the first ones at first.
import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { wholeNumber } from "../../format/money";
import { reservesStrings as words } from "../../strings/pt-BR.reserves";
import styles from "./Reserves.module.css";

const SHOWN_AT_FIRST = 10;

export interface DayLine {
  day: string;
  text: ReactNode;
  amount: ReactNode;
}

export function DayList({ label, lines }: { label: string; lines: readonly DayLine[] }) {
  const [all, setAll] = useState(false);
  const shown = all ? lines : lines.slice(0, SHOWN_AT_FIRST);
  return (
    <>
      <ul className={styles.days} aria-label={label}>
        {shown.map(({ day, text, amount }) => (
          <li key={day}>
            <span className={styles.day}>{text}</span>
            <span className={styles.amount}>{amount}</span>
          </li>
        ))}
      </ul>
      {shown.length < lines.length && (
        <Button variant="default" size="xs" className={styles.all} onClick={() => setAll(true)}>
          {words.allDays(wholeNumber(lines.length))}
        </Button>
      )}
    </>
  );
}
