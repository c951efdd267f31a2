// The tooltip of a point, a bar or a share: its name, and a line for each of its figures. Screen readers read it when
// the arrow keys move to another bar.
import styles from "./ChartTooltip.module.css";

interface ChartTooltipProps {
  title: string;
  lines: readonly (readonly [label: string, value: string])[];
}

export function ChartTooltip({ title, lines }: ChartTooltipProps) {
  return (
    <div className={styles.tooltip} role="status">
      <div className={styles.title}>{title}</div>
      {lines.map(([label, value]) => (
        <div key={label} className={styles.line}>
          <span>{label}</span>
          <strong>{value}</strong>
        </div>
      ))}
    </div>
  );
}
