// The status of a day or a receivable unit: a word, and a bar of shares that screen readers skip.
import { receivablesStrings } from "../../strings/pt-BR.receivables";
import styles from "./Receivables.module.css";
import { type DueAmounts, stateOf } from "./sums";

const words = receivablesStrings.receivables;

export function DayShares({ of }: { of: DueAmounts }) {
  const state = stateOf(of);
  return (
    <>
      <span className={styles.state} data-state={state}>
        {words.dayState[state]}
      </span>
      <span className={styles.shares} aria-hidden>
        <span data-share="settled" style={{ flexGrow: of.settled }} />
        <span data-share="accelerated" style={{ flexGrow: of.accelerated }} />
        <span data-share="scheduled" style={{ flexGrow: of.expected - of.settled - of.accelerated }} />
      </span>
    </>
  );
}
