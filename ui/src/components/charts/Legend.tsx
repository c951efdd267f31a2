// The legend of a chart with several series.
import { seriesColor } from "./colors";
import styles from "./Legend.module.css";

export function Legend({ entries }: { entries: readonly { name: string; note?: string }[] }) {
  return (
    <ul className={styles.legend} aria-hidden data-legend>
      {entries.map(({ name, note }, index) => (
        <li key={name}>
          <span className={styles.key} style={{ background: seriesColor(index) }} />
          {name}
          {note && <strong>{note}</strong>}
        </li>
      ))}
    </ul>
  );
}
