// The menu at the end of a row. A disabled action stays in the menu with its reason.
import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import type { ComponentType } from "react";
import { strings } from "../../strings/pt-BR";
import styles from "./DataTable.module.css";

export interface RowAction {
  label: string;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
  /** Why the action is disabled; undefined if it is not. */
  why?: string | undefined;
  run: () => void;
}

export function RowActions({ row, actions }: { row: string; actions: readonly RowAction[] }) {
  return (
    <Menu position="bottom-end" width={260} returnFocus>
      <Menu.Target>
        <ActionIcon variant="subtle" size={36} color="gray" aria-label={strings.list.actionsOf(row)}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ label, icon: Icon, why, run }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} aria-hidden />}
            aria-disabled={why ? true : undefined}
            className={why ? styles.refused : undefined}
            closeMenuOnClick={!why}
            onClick={why ? undefined : run}
          >
            {label}
            {why && <small className={styles.why}>{why}</small>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
