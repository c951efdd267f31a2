// The signals of a withdrawal as a list of marks, for staff.
import type { Transfer } from "../../api/models";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { signalTexts } from "./signals";
import styles from "./Withdrawals.module.css";

const words = withdrawalsStrings.queue.signals;

export function Signals({ transfer }: { transfer: Transfer }) {
  const texts = signalTexts(transfer);
  if (texts.length === 0) return null;
  return (
    <ul className={styles.signals} aria-label={words.title}>
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
