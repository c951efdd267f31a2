// Cards that link to the screens below a page: those that exist and that the user may open.
import { IconChevronRight } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { Link } from "react-router";
import { screenTitle, useOpenable } from "../api/access";
import styles from "./Shortcuts.module.css";

interface Shortcut {
  route: string;
  icon: ComponentType<{ size?: number; stroke?: number; "aria-hidden"?: boolean }>;
  text: string;
}

export function Shortcuts({ label, shortcuts }: { label: string; shortcuts: readonly Shortcut[] }) {
  const mayOpen = useOpenable();
  return (
    <ul className={styles.shortcuts} aria-label={label}>
      {shortcuts
        .filter(({ route }) => mayOpen(route))
        .map(({ route, icon: Icon, text }) => (
          <li key={route}>
            <Link to={route} className={styles.shortcut}>
              <Icon size={22} stroke={1.7} aria-hidden />
              <span className={styles.shortcutText}>
                <strong>{screenTitle(route)}</strong>
                <span>{text}</span>
              </span>
              <IconChevronRight size={18} aria-hidden />
            </Link>
          </li>
        ))}
    </ul>
  );
}
