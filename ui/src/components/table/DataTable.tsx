// The rows of a list with its filters and tools: a table, or cards on a narrow screen. The gateway orders and pages the
// rows.
import { type RowData, useTable } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { To } from "react-router";
import type { Download } from "../../api/download";
import { strings } from "../../strings/pt-BR";
import { useIsNarrow } from "../breakpoints";
import { FailureNotice } from "../Notice";
import { BeyondLastPage } from "./BeyondLastPage";
import { ColumnMenu } from "./ColumnMenu";
import styles from "./DataTable.module.css";
import { EmptyList, type EmptyListProps } from "./EmptyList";
import { ExportButton, ExportFailure } from "./ExportButton";
import { FilterFields } from "./FilterFields";
import { failurePlace } from "./failurePlace";
import { type Columns, features } from "./features";
import { PER_PAGE_DEFAULT } from "./listState";
import { OrderButton, type OrderWords } from "./OrderButton";
import { RowCards } from "./RowCards";
import { RowTable } from "./RowTable";
import type { Selection } from "./selection";
import { TablePager } from "./TablePager";
import type { TableList } from "./useList";
import { useRememberedColumns } from "./useRememberedColumns";

/** The most rows of a skeleton: the default page size. */
const SKELETON_ROWS_MAX = PER_PAGE_DEFAULT;

/** The two lines of a row on a narrow screen. */
export interface Card {
  title: ReactNode;
  value: ReactNode;
  note: ReactNode;
  badge: ReactNode;
}

/** The address that a row opens, and its label for screen readers. */
export interface RowTarget {
  to: To;
  state?: unknown;
  label: string;
}

interface DataTableProps<Row extends RowData> {
  /** The hidden columns are remembered under this name, so it must not change. */
  name: string;
  label: string;
  columns: Columns<Row>;
  /** The columns that are hidden until the user shows them. */
  hiddenAtFirst?: readonly string[];
  /** The column that the gateway orders by; undefined if the list has one fixed order. */
  orderColumn?: string;
  /** The names of the two orders, if they are not by age. */
  orderWords?: OrderWords;
  list: TableList<Row>;
  /** Shown instead of the rows of an empty list. */
  icon: EmptyListProps["icon"];
  words: EmptyListProps["words"];
  /** Shown instead of these. */
  empty?: ReactNode;
  /** Follows the filters. */
  afterFilters?: ReactNode;
  rowId: (row: Row) => string;
  /** The address that a row opens; undefined if it opens none. */
  rowTarget?: (row: Row) => RowTarget | undefined;
  card: (row: Row) => Card;
  /** Saves the rows as CSV. */
  csv?: Download;
  selection?: Selection<Row>;
  /** The actions for the selected rows; shown above the table while there are some. */
  selectionBar?: ReactNode;
  rowActions?: (row: Row) => ReactNode;
}

const NO_ROWS: never[] = [];
const NO_FILTERS = { any: false, clear: () => undefined, fields: [] };

/** The visible columns and the rows of the current page. */
function useRowModel<Row extends RowData>(props: DataTableProps<Row>) {
  const { list } = props;
  const { data } = list.read;
  const [columnVisibility, setColumnVisibility] = useRememberedColumns(
    props.name,
    Object.fromEntries((props.hiddenAtFirst ?? []).map((id) => [id, false])),
  );
  return useTable({
    features,
    columns: props.columns,
    data: data?.data ?? NO_ROWS,
    getRowId: props.rowId,
    manualPagination: true,
    manualSorting: true,
    enableSorting: props.orderColumn !== undefined,
    enableSortingRemoval: false,
    enableMultiSort: false,
    rowCount: data?.meta.total ?? 0,
    state: {
      columnVisibility,
      pagination: { pageIndex: list.page - 1, pageSize: list.perPage },
      sorting: props.orderColumn ? [{ id: props.orderColumn, desc: list.order === "desc" }] : [],
    },
    onColumnVisibilityChange: setColumnVisibility,
    onSortingChange: () => list.setOrder(list.order === "desc" ? "asc" : "desc"),
  });
}

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { list, csv, selection } = props;
  const { read, download, filters } = list;
  const { data: page, error: failure } = read;
  // Rows of the previous page or filters are dimmed until the new ones arrive.
  const stale = read.isLoading && page !== undefined;
  const place = failurePlace(read);
  const narrow = useIsNarrow();
  const table = useRowModel(props);
  const choices = table
    .getAllLeafColumns()
    .filter((column) => column.getCanHide())
    .map((column) => ({
      id: column.id,
      label: String(column.columnDef.header),
      shown: column.getIsVisible(),
      toggle: () => column.toggleVisibility(),
    }));
  const hasRows = page === undefined || page.data.length > 0;

  return (
    <section className={styles.frame} aria-label={props.label} tabIndex={-1}>
      <div className={styles.bar}>
        <FilterFields filters={filters ?? NO_FILTERS} after={props.afterFilters} />
        <div className={styles.tools}>
          {narrow ? (
            props.orderColumn && <OrderButton list={list} words={props.orderWords} />
          ) : (
            <ColumnMenu choices={choices} />
          )}
          {download && <ExportButton download={download} />}
          {csv && <ExportButton download={csv} label={strings.list.exportCsv} />}
        </div>
      </div>
      {download && <ExportFailure download={download} className={styles.message} />}
      {csv && <ExportFailure download={csv} className={styles.message} />}
      {selection && selection.rows.length > 0 && <div className={styles.selected}>{props.selectionBar}</div>}
      {failure && place && <FailureNotice failure={failure} onRetry={() => void read.mutate()} />}
      {place === "instead" ? null : !hasRows ? (
        page.meta.total > 0 ? (
          <BeyondLastPage meta={page.meta} list={list} />
        ) : (
          (props.empty ?? <EmptyList filters={filters ?? NO_FILTERS} icon={props.icon} words={props.words} />)
        )
      ) : narrow ? (
        <RowCards
          {...props}
          stale={stale}
          rows={page?.data}
          skeletonRows={Math.min(list.perPage, SKELETON_ROWS_MAX)}
        />
      ) : (
        <RowTable
          {...props}
          table={table}
          stale={stale}
          loading={!page}
          skeletonRows={Math.min(list.perPage, SKELETON_ROWS_MAX)}
        />
      )}
      {page && hasRows && place !== "instead" && <TablePager meta={page.meta} list={list} />}
    </section>
  );
}
