// The link in a row, for the keyboard and for opening the row in a new tab.
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
