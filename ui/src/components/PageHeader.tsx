// The head of a page: its h1, a hint below it, and its actions.
import { IconArrowLeft } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import styles from "./PageHeader.module.css";

interface PageHeaderProps {
  title: string;
  hint?: ReactNode;
  /** Follows the title: a status. */
  badge?: ReactNode;
  actions?: ReactNode;
}

export function PageHeader({ title, hint, badge, actions }: PageHeaderProps) {
  return (
    <header className={styles.header}>
      <div className={styles.words}>
        <div className={styles.titleLine}>
          <h1 className={styles.title}>{title}</h1>
          {badge}
        </div>
        {hint && <div className={styles.hint}>{hint}</div>}
      </div>
      {actions}
    </header>
  );
}

/** Shown above the header of a page. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={styles.back}>
      <IconArrowLeft size={16} aria-hidden /> {children}
    </Link>
  );
}
