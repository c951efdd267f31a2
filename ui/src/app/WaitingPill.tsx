// How many records behind a link wait for an action. The link's name stays that of the page; screen readers read the
// number as its description.
import { wholeNumber } from "../format/money";
import { strings } from "../strings/pt-BR";
import styles from "./Navigation.module.css";

export function WaitingPill({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span className={styles.pill} aria-hidden>
      {wholeNumber(count)}
    </span>
  );
}

/** Stands beside the link, whose `aria-describedby` it is. */
export function WaitingText({ id, count }: { id: string; count: number }) {
  if (count === 0) return null;
  return (
    <span id={id} hidden>
      {strings.shell.waiting(count)}
    </span>
  );
}
