// A choice between a few options that are all in sight, with its label.
import { SegmentedControl, type SegmentedControlProps } from "@mantine/core";
import styles from "./SegmentedField.module.css";

interface SegmentedFieldProps extends Omit<SegmentedControlProps, "data"> {
  label: string;
  options: Readonly<Record<string, string>>;
}

export function SegmentedField({ label, options, ...field }: SegmentedFieldProps) {
  return (
    <div className={styles.field}>
      <span className={styles.label}>{label}</span>
      <SegmentedControl
        aria-label={label}
        data={Object.entries(options).map(([value, text]) => ({ value, label: text }))}
        {...field}
      />
    </div>
  );
}
