// The tooltip of a day in a chart.
import type { ReactNode } from "react";
import { businessDateInWords } from "../../format/dates";
import styles from "./DayTooltip.module.css";

export function DayTooltip({ date, children }: { date: string; children: ReactNode }) {
  return (
    <div className={styles.tooltip}>
      <div className={styles.day}>{businessDateInWords(date)}</div>
      {children}
    </div>
  );
}
