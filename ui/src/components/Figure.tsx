// One figure on a card: what it is, how much, and what helps to judge it.
import { Skeleton } from "@mantine/core";
import { IconArrowDownRight, IconArrowUpRight, IconMinus } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { percent } from "../format/money";
import { strings } from "../strings/pt-BR";
import styles from "./Figure.module.css";

interface FigureProps {
  label: string;
  value: string | undefined;
  note?: ReactNode;
  /** What a note looks like that comes with the value: it keeps the place until then. */
  sample?: ReactNode;
  /** The one that the page is about. */
  strong?: boolean;
}

export function Figure({ label, value, note, sample, strong = false }: FigureProps) {
  const waits = value === undefined && sample !== undefined;
  return (
    <div className={styles.figure} data-strong={strong || undefined}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{value ?? <Skeleton height="1em" width="70%" />}</dd>
      {waits ? (
        // A skeleton paints over a link only; it could still be reached by the keyboard.
        <dd className={styles.note} aria-hidden inert>
          <Skeleton>{sample}</Skeleton>
        </dd>
      ) : (
        note && <dd className={styles.note}>{note}</dd>
      )}
    </div>
  );
}

/** The list that figures stand in; a row on a wide screen, two by two on a phone. */
export function Figures({ label, children }: { label: string; children: ReactNode }) {
  return (
    <dl className={styles.figures} aria-label={label}>
      {children}
    </dl>
  );
}

interface VariationProps {
  ratio: number | null;
  against: string;
}

export function Variation({ ratio, against }: VariationProps) {
  if (ratio === null) return <span>{strings.overview.noBasis}</span>;
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
