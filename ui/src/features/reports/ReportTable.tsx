// The rows of a report: a table with a row of totals, or cards on a narrow screen.
import { createColumnHelper, useTable } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useIsNarrow } from "../../components/breakpoints";
import { titleInHalves } from "../../components/table/columnTitle";
import type { Card } from "../../components/table/DataTable";
import { type Features, features } from "../../components/table/features";
import type { ListState } from "../../components/table/listState";
import { RowCards } from "../../components/table/RowCards";
import { RowTable } from "../../components/table/RowTable";
import { useRememberedColumns } from "../../components/table/useRememberedColumns";
import { wholeNumber } from "../../format/money";
import { reportStrings } from "../../strings/pt-BR.reports";
import { ChangeText } from "./ChangeText";
import type { ReportDefinition } from "./definitions";
import { FIGURES, type FigureKey, figureText, type Sums } from "./figures";
import styles from "./Reports.module.css";
import { isPaged, NAME, type ReportRow, type RowKind, type SortKey } from "./rows";

const words = reportStrings.rows;
const SKELETON_ROWS = 12;
const column = createColumnHelper<Features, ReportRow>();

export interface ReportTableProps {
  definition: ReportDefinition;
  label: string;
  kind: RowKind;
  rows: readonly ReportRow[] | undefined;
  total: Sums | undefined;
  stale: boolean;
  sort: SortKey;
  list: ListState;
  onSort: (sort: SortKey, order: "asc" | "desc") => void;
  /** The address of the sales behind a figure of a row, or of the whole report; undefined if no link leads there. */
  behind: (figure: FigureKey, row?: ReportRow) => string | undefined;
}

/** A figure, as a link to the address `to`. A figure of zero is no link. */
function FigureCell({ figure, sums, name, to }: CellProps) {
  const text = figureText(figure, sums);
  if (!FIGURES[figure].of(sums)) return <span className={styles.zero}>{text}</span>;
  if (!to) return text;
  return (
    <Link
      className={styles.figure}
      to={to}
      aria-label={words.behind(text, reportStrings.figures[figure].toLowerCase(), name)}
    >
      {text}
    </Link>
  );
}

interface CellProps {
  figure: FigureKey;
  sums: Sums;
  name: string;
  to: string | undefined;
}

function columnsOf({ definition, kind, behind }: ReportTableProps) {
  return column.columns([
    column.accessor((row) => row.name, {
      id: NAME,
      header: words.kinds[kind],
      enableHiding: false,
      cell: ({ row: { original } }) => <Name row={original} />,
    }),
    ...definition.columns.map((figure) =>
      column.accessor((row) => FIGURES[figure].of(row.sums) ?? 0, {
        id: figure,
        header: titleInHalves(reportStrings.figures[figure]),
        meta: { align: "end" },
        // The gateway orders rows that come in pages, and only by some figures. The browser orders other rows by any.
        enableSorting: !isPaged(kind) || FIGURES[figure].sort !== undefined,
        cell: ({ row: { original } }) => (
          <FigureCell
            figure={figure}
            sums={original.sums}
            name={original.name}
            to={behind(figure, original)}
          />
        ),
      }),
    ),
  ]);
}

function Name({ row: { name, note } }: { row: ReportRow }) {
  return (
    <>
      {name}
      {note && <span className={styles.rowNote}>{note}</span>}
    </>
  );
}

/** The table, and the choices of its columns for the bar above it. */
export function useReportTable(props: ReportTableProps) {
  const { definition, rows, sort, list, onSort } = props;
  const [columnVisibility, setColumnVisibility] = useRememberedColumns(
    definition.name,
    Object.fromEntries((definition.hiddenAtFirst ?? []).map((id) => [id, false])),
  );
  const sorting = [{ id: sort as string, desc: list.order === "desc" }];
  const table = useTable({
    features,
    columns: columnsOf(props),
    data: (rows ?? []) as ReportRow[],
    getRowId: ({ id }) => id,
    manualPagination: true,
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    rowCount: rows?.length ?? 0,
    state: {
      columnVisibility,
      sorting,
      pagination: { pageIndex: 0, pageSize: Math.max(1, rows?.length ?? 1) },
    },
    onColumnVisibilityChange: setColumnVisibility,
    onSortingChange: (next) => {
      const [chosen] = typeof next === "function" ? next(sorting) : next;
      if (chosen) onSort(chosen.id as SortKey, chosen.desc ? "desc" : "asc");
    },
  });
  const choices = table
    .getAllLeafColumns()
    .filter((each) => each.getCanHide())
    .map((each) => ({
      id: each.id,
      label: String(each.columnDef.header).replace("\n", " "),
      shown: each.getIsVisible(),
      toggle: () => each.toggleVisibility(),
    }));
  return { table, choices };
}

export function ReportRows({
  table,
  ...props
}: ReportTableProps & Pick<ReturnType<typeof useReportTable>, "table">) {
  const { label, rows, total, stale, definition, behind } = props;
  const narrow = useIsNarrow();
  if (narrow) {
    return (
      <RowCards
        label={label}
        rows={rows}
        stale={stale}
        skeletonRows={SKELETON_ROWS}
        rowId={({ id }) => id}
        rowTarget={(row) => targetOf(row, definition, behind)}
        card={(row) => cardOf(row, definition)}
      />
    );
  }
  const totalCell = (id: string): ReactNode =>
    id === NAME
      ? words.total
      : total && (
          <FigureCell figure={id as FigureKey} sums={total} name={words.total} to={behind(id as FigureKey)} />
        );
  return (
    <RowTable
      label={label}
      table={table}
      stale={stale}
      loading={!rows}
      skeletonRows={SKELETON_ROWS}
      total={totalCell}
    />
  );
}

function targetOf(
  row: ReportRow,
  { ranked: mainFigure }: ReportDefinition,
  behind: ReportTableProps["behind"],
) {
  // A card's link leads to the sales behind its main figure. If no list has them, it leads to the captured sales.
  const figure = FIGURES[mainFigure].behind ? mainFigure : "gross";
  const to = FIGURES[figure].of(row.sums) ? behind(figure, row) : undefined;
  return to === undefined ? undefined : { to, label: words.behindFigure };
}

function cardOf(row: ReportRow, { ranked }: ReportDefinition): Card {
  const counted = words.counted(row.sums.count, wholeNumber(row.sums.count));
  return {
    title: row.name,
    value: figureText(ranked, row.sums),
    note: row.note ? `${row.note} · ${counted}` : counted,
    badge: <ChangeText figure={ranked} now={row.sums} before={row.previous} />,
  };
}
