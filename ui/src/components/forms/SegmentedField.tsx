// A choice between a few options that are all in sight, with its label and its error.
import { Input, SegmentedControl, type SegmentedControlProps } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./SegmentedField.module.css";

interface SegmentedFieldProps extends Omit<SegmentedControlProps, "data"> {
  label: string;
  options: Readonly<Record<string, string>>;
  /** Why the choice was refused. */
  error?: ReactNode;
}

export function SegmentedField({ label, options, error, ...field }: SegmentedFieldProps) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>{label}</span>
      <SegmentedControl
        aria-label={label}
        data={Object.entries(options).map(([value, text]) => ({ value, label: text }))}
        {...field}
      />
      {error && <Input.Error>{error}</Input.Error>}
    </div>
  );
}
