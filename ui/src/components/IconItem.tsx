// A line of a list: an icon, a title with a badge, details below it, and a button.
import type { ReactNode } from "react";
import styles from "./IconItem.module.css";
import type { TimelineIcon } from "./TimelineEntry";

interface IconItemProps {
  icon: TimelineIcon;
  title: string;
  /** Shown while the pointer is over the title. */
  hint?: string;
  badge?: string | false;
  /** Whether the badge says something good. */
  good?: boolean;
  note?: ReactNode;
  /** Undefined values are left out. */
  details: readonly (readonly [name: string, value: ReactNode])[];
  action: ReactNode;
}

export function IconItem({ icon: Icon, title, hint, badge, good, note, details, action }: IconItemProps) {
  return (
    <li className={styles.item}>
      <span className={styles.icon}>
        <Icon size={20} stroke={1.7} aria-hidden />
      </span>
      <div className={styles.facts}>
        <p className={styles.title} title={hint}>
          {title}{" "}
          {badge && (
            <span className={styles.badge} data-good={good || undefined}>
              {badge}
            </span>
          )}
        </p>
        {note}
        <dl className={styles.details}>
          {details.map(
            ([name, value]) =>
              value && (
                <div key={name}>
                  <dt>{name}</dt>
                  <dd>{value}</dd>
                </div>
              ),
          )}
        </dl>
      </div>
      {action}
    </li>
  );
}
