// The groups of the navigation for which a phone's bar has no place, and the theme.
import { Modal } from "@mantine/core";
import { IconChevronRight } from "@tabler/icons-react";
import { useSession } from "../api/session";
import { strings } from "../strings/pt-BR";
import styles from "./Navigation.module.css";
import { NavigationLink } from "./NavigationLink";
import { nameOf, type VisibleGroup } from "./navigation";
import { waitingIn } from "./Sidebar";
import { ThemeToggle } from "./ThemeToggle";
import type { Waiting } from "./waiting";

interface MoreSheetProps {
  groups: readonly VisibleGroup[];
  waiting: Waiting;
  onClose: () => void;
}

export default function MoreSheet({ groups, waiting, onClose }: MoreSheetProps) {
  const { user, business } = useSession();
  return (
    <Modal
      opened
      onClose={onClose}
      title={strings.shell.more}
      closeButtonProps={{ "aria-label": strings.buttons.close }}
      classNames={{ inner: styles.sheetInner, content: styles.sheet, body: styles.sheetBody }}
    >
      {user && (
        <div className={styles.person}>
          <strong>{user.name}</strong>
          {business && <span>{strings.roles[business.role]}</span>}
        </div>
      )}
      <ul className={styles.sheetGroups}>
        {groups.map((group) => (
          <li key={group.label}>
            <NavigationLink
              to={group.entries[0].screen.route}
              className={styles.sheetLink}
              current={undefined}
              waiting={waitingIn(group, waiting)}
              onClick={onClose}
            >
              <group.icon size={22} stroke={1.7} aria-hidden />
              <span className={styles.name}>
                {group.label}
                {group.entries.length > 1 && (
                  <small aria-hidden>{group.entries.map(nameOf).join(", ")}</small>
                )}
              </span>
              <IconChevronRight size={18} className={styles.arrow} aria-hidden />
            </NavigationLink>
          </li>
        ))}
        <li className={styles.themeRow}>
          <span>{strings.shell.theme}</span>
          <ThemeToggle />
        </li>
      </ul>
    </Modal>
  );
}
