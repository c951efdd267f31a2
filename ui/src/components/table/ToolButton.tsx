// A tool of a list. Beside many filters it is only its picture: the table's style sheet decides, and the name stays.
import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentType, Ref } from "react";
import styles from "./DataTable.module.css";

interface ToolButtonProps extends ButtonProps {
  label: string;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
  onClick?: () => void;
  /** Given by the menu that it opens. */
  ref?: Ref<HTMLButtonElement>;
}

export function ToolButton({ label, icon: Icon, ...button }: ToolButtonProps) {
  return (
    <Button
      variant="default"
      size="sm"
      aria-label={label}
      title={label}
      classNames={{ root: styles.tool, section: styles.toolIcon }}
      leftSection={<Icon size={16} aria-hidden />}
      {...button}
    >
      <span className={styles.toolLabel}>{label}</span>
    </Button>
  );
}
