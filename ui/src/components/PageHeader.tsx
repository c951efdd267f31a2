// The head of a page: its one h1, a line below it, and what can be done there.
import type { ReactNode } from "react";
import styles from "./PageHeader.module.css";

interface PageHeaderProps {
  title: string;
  hint?: ReactNode;
  /** Stands beside the title: a status. */
  mark?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, hint, mark, actions }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <div className={styles.titleLine}>
          <h1 className={styles.title}>{title}</h1>
          {mark}
        </div>
        {hint && <div className={styles.hint}>{hint}</div>}
      </div>
      {actions}
    </header>
  );
}
