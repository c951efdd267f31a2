// A list of facts, each with a label and a value.
import styles from "./FactList.module.css";
import { type Fact, knownFacts } from "./facts";

interface FactListProps {
  facts: readonly Fact[];
  label?: string;
  /** `ruled`: lines with rules between them. `boxed`: the same in a box. */
  variant?: "ruled" | "boxed";
  /** Whether the last fact is the total. */
  total?: boolean;
}

export function FactList({ facts, label, variant, total = false }: FactListProps) {
  return (
    <dl className={styles.facts} aria-label={label} data-variant={variant} data-total={total || undefined}>
      {knownFacts(facts).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
