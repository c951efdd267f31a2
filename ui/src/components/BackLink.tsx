// The back link above a page's title.
import { IconArrowLeft } from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import styles from "./BackLink.module.css";

export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className={styles.back}>
      <IconArrowLeft size={16} aria-hidden /> {children}
    </Link>
  );
}

/** The address of the list that opened this page, with its filters; else `home`. */
export function useListAddress(home: string): string {
  const { state } = useLocation() as { state: { list?: unknown } | null };
  return typeof state?.list === "string" && state.list.startsWith("/") ? state.list : home;
}
