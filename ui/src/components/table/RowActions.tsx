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
  disabledReason?: string | undefined;
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
        {actions.map(({ label, icon: Icon, disabledReason, run }) => (
          <Menu.Item
            key={label}
            leftSection={<Icon size={16} aria-hidden />}
            aria-disabled={disabledReason ? true : undefined}
            className={disabledReason ? styles.refused : undefined}
            closeMenuOnClick={!disabledReason}
            onClick={disabledReason ? undefined : run}
          >
            {label}
            {disabledReason && <small className={styles.reason}>{disabledReason}</small>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
