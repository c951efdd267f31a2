// A card with one figure: label, value and an explanatory note.
import { Skeleton } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { percent } from "../format/money";
import { overviewStrings } from "../strings/pt-BR.overview";
import styles from "./Figure.module.css";

interface FigureProps {
  label: string;
  value: string | undefined;
  note?: ReactNode;
  /** A note of typical length. It reserves the space until the value and its note arrive. */
  sample?: ReactNode;
  /** The main figure of the page. */
  strong?: boolean;
  /** Whether someone must act on the value. It is red then. */
  alarms?: boolean;
}

export function Figure({ label, value, note, sample, strong = false, alarms = false }: FigureProps) {
  const waits = value === undefined && sample !== undefined;
  return (
    <div className={styles.figure} data-strong={strong || undefined} data-alarms={alarms || undefined}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{value ?? <Skeleton height="1em" width="70%" />}</dd>
      {waits ? (
        // The skeleton only covers a link; without `inert` the keyboard could still reach it.
        <dd className={styles.note} aria-hidden inert>
          <Skeleton>{sample}</Skeleton>
        </dd>
      ) : (
        note && <dd className={styles.note}>{note}</dd>
      )}
    </div>
  );
}

/** A list of figures, in two columns on a narrow screen. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl className={styles.figures} aria-label={label}>
      {children}
    </dl>
  );
}

interface VariationProps {
  /** 0.25 is an increase of 25%; null if the earlier period has no amount. */
  ratio: number | null;
  /** The text after the percentage, which names the earlier period. */
  against: string;
}

/** The change of a figure since an earlier period. */
export function Variation({ ratio, against }: VariationProps) {
  if (ratio === null) return <span>{overviewStrings.overview.noBasis}</span>;
  const direction = ratio > 0 ? "up" : ratio < 0 ? "down" : "level";
  const Icon = { up: IconArrowUpRight, down: IconArrowDownRight, level: IconMinus }[direction];
  return (
    <>
      <span className={styles.variation} data-direction={direction}>
        <Icon size={14} stroke={2.4} aria-hidden />
        {ratio > 0 ? "+" : ""}
        {percent(ratio)}
      </span>{" "}
      {against}
    </>
  );
}
