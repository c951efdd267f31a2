// A tool of a list. Next to many filters the style sheet shows only its icon; its name stays for screen readers.
import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentType, Ref } from "react";
import styles from "./DataTable.module.css";

interface ToolButtonProps extends ButtonProps {
  label: string;
  icon: ComponentType<{ size?: number; "aria-hidden"?: boolean }>;
  onClick?: () => void;
  /** Set by the menu that the button opens. */
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
