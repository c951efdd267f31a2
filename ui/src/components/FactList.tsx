// A list of facts, each with a label and a value.
import type { ReactNode } from "react";
import styles from "./FactList.module.css";

export type Fact = readonly [label: string, value: ReactNode];

interface FactListProps {
  /** A fact without a value is left out. */
  facts: readonly Fact[];
  label?: string;
  /** `ruled`: lines with rules between them, on a panel. `boxed`: a box among the fields of a form. */
  look?: "ruled" | "boxed";
  /** Whether the last fact is the total. */
  total?: boolean;
}

export function FactList({ facts, label, look, total = false }: FactListProps) {
  return (
    <dl className={styles.facts} aria-label={label} data-look={look} data-total={total || undefined}>
      {facts
        .filter(([, value]) => value)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}
