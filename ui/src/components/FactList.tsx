// A list of facts: what each one is called, and its value.
import type { ReactNode } from "react";
import styles from "./FactList.module.css";

export type Fact = readonly [label: string, value: ReactNode];

interface FactListProps {
  /** A fact without a value is left out. */
  facts: readonly Fact[];
  label?: string;
  /** `ruled`: a panel's own lines. `boxed`: a box among the fields of a form. */
  look?: "ruled" | "boxed";
  /** The last fact is what the others come to. */
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
