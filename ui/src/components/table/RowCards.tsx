// The rows of a table as cards of two lines, for a narrow screen.
import { Checkbox, Skeleton } from "@mantine/core";
import type { RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { strings } from "../../strings/pt-BR";
import shared from "../Shared.module.css";
import type { Card, RowTarget } from "./DataTable";
import styles from "./DataTable.module.css";
import type { Selection } from "./selection";

interface RowCardsProps<Row extends RowData> {
  label: string;
  rows: readonly Row[] | undefined;
  stale: boolean;
  skeletonRows?: number;
  rowId: (row: Row) => string;
  rowTarget?: ((row: Row) => RowTarget | undefined) | undefined;
  card: (row: Row) => Card;
  selection?: Selection<Row> | undefined;
  rowActions?: ((row: Row) => ReactNode) | undefined;
}

export function RowCards<Row extends RowData>(props: RowCardsProps<Row>) {
  const { label, rows, stale, selection } = props;
  if (!rows) {
    return (
      <ul className={styles.cards} aria-label={label} aria-busy>
        {Array.from({ length: props.skeletonRows ?? 0 }, (_, row) => (
          <li key={row} className={styles.cardSkeleton} aria-hidden>
            <Skeleton height={17} width="80%" my={4} />
            <Skeleton height={14} width="55%" mt={9} mb={5} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul className={styles.cards} aria-label={label} aria-busy={stale} data-stale={stale || undefined}>
      {rows.map((row) => (
        <li key={props.rowId(row)} className={styles.cardRow}>
          {selection && (
            <Checkbox
              className={styles.cardTick}
              size="md"
              aria-label={strings.list.select(selection.name(row))}
              checked={selection.has(row)}
              onChange={() => selection.toggle(row)}
            />
          )}
          <CardLines card={props.card(row)} target={props.rowTarget?.(row)} />
          {props.rowActions && <span className={styles.cardActions}>{props.rowActions(row)}</span>}
        </li>
      ))}
    </ul>
  );
}

function CardLines({ card, target }: { card: Card; target: RowTarget | undefined }) {
  const { title, value, note, badge } = card;
  const lines = (
    <>
      <span className={styles.cardLine}>
        <strong>{title}</strong>
        <strong>{value}</strong>
      </span>
      <span className={styles.cardLine}>
        <span className={shared.dim}>{note}</span>
        {badge}
      </span>
    </>
  );
  return target ? (
    <Link className={styles.card} to={target.to} state={target.state}>
      {lines}
    </Link>
  ) : (
    <div className={styles.card}>{lines}</div>
  );
}
