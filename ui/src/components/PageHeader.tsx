// The head of a page: its h1, a hint below it, and its actions.
import { IconArrowLeft } from "@tabler/icons-react";
import type { MouseEvent, ReactNode } from "react";
import { Link, useLocation, useNavigate } from "react-router";
import { routeAt, screenTitle } from "../api/access";
import { useOrigin } from "../api/visits";
import { backStrings } from "../strings/pt-BR.back";
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

interface BackLinkProps {
  /** The page above, for a page that was opened by its address. Its name decides the words. */
  to: string;
}

/** Shown above the header of a page: leads to the page from which it was opened. */
export function BackLink({ to }: BackLinkProps) {
  const origin = useOrigin();
  const navigate = useNavigate();
  const { search } = useLocation();
  const route = origin?.route ?? routeAt(to);
  const back = (event: MouseEvent) => {
    // A filter or tab of this page may have added entries of its own, of which the router does not know.
    if (window.location.search !== search) return;
    if (!origin || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
      return;
    // Back in the history rather than forward to a new entry, so that the page there keeps its own way back.
    event.preventDefault();
    navigate(-origin.steps);
  };
  return (
    <Link to={origin?.address ?? to} className={styles.back} onClick={back}>
      <IconArrowLeft size={16} aria-hidden />{" "}
      {backStrings.to[route] ?? backStrings.toTitle(screenTitle(route))}
    </Link>
  );
}
