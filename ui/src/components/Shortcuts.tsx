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

interface ShortcutsProps {
  label?: string;
  shortcuts: readonly Shortcut[];
  /** Whether they are the page's content. */
  large?: boolean;
}

export function Shortcuts({ label, shortcuts, large = false }: ShortcutsProps) {
  const mayOpen = useOpenable();
  return (
    <ul className={styles.shortcuts} aria-label={label} data-large={large || undefined}>
      {shortcuts
        .filter(({ route }) => mayOpen(route))
        .map(({ route, icon: Icon, text }) => (
          <li key={route}>
            <Link to={route} className={styles.shortcut}>
              <span className={styles.icon}>
                <Icon size={22} stroke={1.7} aria-hidden />
              </span>
              <span className={styles.shortcutText}>
                <strong>{screenTitle(route)}</strong>
                <span>{text}</span>
              </span>
              <IconChevronRight size={18} aria-hidden className={styles.arrow} />
            </Link>
          </li>
        ))}
    </ul>
  );
}
