// An entry of a list in order of time: the content next to an icon, with a line to the next entry's icon.
import type { ComponentType, ReactNode } from "react";
import styles from "./TimelineEntry.module.css";

export type TimelineIcon = ComponentType<{ size?: number; stroke?: number }>;

interface TimelineEntryProps {
  icon: TimelineIcon;
  tone?: "good" | "bad" | "plain";
  children: ReactNode;
}

export function TimelineEntry({ icon: Icon, tone = "plain", children }: TimelineEntryProps) {
  return (
    <li className={styles.entry}>
      <span className={styles.icon} data-tone={tone} aria-hidden>
        <Icon size={16} stroke={2} />
      </span>
      {children}
    </li>
  );
}
