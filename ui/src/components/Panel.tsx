// A section of a page as a card, with a title, a hint and an action.
import type { ReactNode } from "react";
import { useId } from "react";
import styles from "./Panel.module.css";

interface PanelProps {
  title?: string;
  hint?: string;
  action?: ReactNode;
  /** The accessible name of a section without a title. */
  label?: string;
  /** Without inner space, for tables and lists that reach the edges. */
  flush?: boolean;
  children: ReactNode;
}

export function Panel({ title, hint, action, label, flush = false, children }: PanelProps) {
  const titleId = useId();
  return (
    <section
      className={styles.panel}
      data-flush={flush || undefined}
      aria-labelledby={title ? titleId : undefined}
      aria-label={title ? undefined : label}
    >
      {(title || action) && (
        <header className={styles.header}>
          <div>
            {title && (
              <h2 id={titleId} className={styles.title}>
                {title}
              </h2>
            )}
            {hint && <p className={styles.hint}>{hint}</p>}
          </div>
          {action && <div className={styles.action}>{action}</div>}
        </header>
      )}
      {children}
    </section>
  );
}
