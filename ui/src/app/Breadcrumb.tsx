// The place of a page: the company, the group, the pages above it, and the page itself.
import { IconChevronRight } from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import { useOpenable } from "../api/access";
import { panel } from "../api/panel";
import { useSession } from "../api/session";
import { strings } from "../strings/pt-BR";
import styles from "./Navigation.module.css";
import { crumbsOf } from "./navigation";
import { groups } from "./routes";

export function Breadcrumb() {
  const { pathname } = useLocation();
  const { business } = useSession();
  const crumbs = crumbsOf(groups[panel], pathname, useOpenable());
  if (crumbs.length === 0) return null;
  const home = panel === "admin" ? strings.shell.administration : business?.name;
  const all = home ? [{ name: home, to: pathname === "/" ? undefined : "/" }, ...crumbs] : crumbs;
  return (
    <nav className={styles.breadcrumb} aria-label={strings.shell.place}>
      <ol>
        {all.map(({ name, to }, index) => (
          <li key={`${index} ${name}`}>
            {index > 0 && <IconChevronRight size={14} aria-hidden />}
            {to ? (
              <Link to={to}>{name}</Link>
            ) : (
              <span aria-current={index === all.length - 1 ? "page" : undefined}>{name}</span>
            )}
          </li>
        ))}
      </ol>
    </nav>
  );
}
