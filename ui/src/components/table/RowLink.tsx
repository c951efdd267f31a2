// The link in a row's first cell: the way in for the keyboard and for opening in another tab.
import { Link } from "react-router";
import type { RowTarget } from "./DataTable";
import styles from "./DataTable.module.css";

export function RowLink({ target, children }: { target: RowTarget; children: string }) {
  return (
    <Link className={styles.rowLink} to={target.to} state={target.state} aria-label={target.label}>
      {children}
    </Link>
  );
}
