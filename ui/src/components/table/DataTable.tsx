// The table of every list page. The gateway orders and pages the rows. This shows them as a table, as cards on a
// narrow screen, as a skeleton, as an empty list, or as a failure.
import { Checkbox, Skeleton, Table } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { type Header, type RowData, useTable } from "@tanstack/react-table";
import type { MouseEvent, ReactNode } from "react";
import { type To, useNavigate } from "react-router";
import type { Download, Paged, Read } from "../../api/hooks";
import { strings } from "../../strings/pt-BR";
import { FailureNotice } from "../Notice";
import { useIsNarrow } from "../useIsPhone";
import { BeyondLastPage } from "./BeyondLastPage";
import { ColumnMenu } from "./ColumnMenu";
import { titleInLines } from "./columnTitle";
import styles from "./DataTable.module.css";
import { ExportButton, ExportFailure } from "./ExportButton";
import { type Columns, type Features, features } from "./features";
import type { ListState } from "./listState";
import { OrderButton, type OrderWords } from "./OrderButton";
import { RowCards } from "./RowCards";
import type { Selection } from "./selection";
import { TablePager } from "./TablePager";
import { useRememberedColumns } from "./useRememberedColumns";

/** The default page size. */
const SKELETON_ROWS = 20;

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
  hiddenAtFirst?: readonly string[];
  /** The column that the gateway orders by; undefined if the list has one fixed order. */
  orderColumn?: string;
  /** The names of the two orders, if they are not by age. */
  orderWords?: OrderWords;
  list: ListState;
  read: Read<Paged<Row>>;
  empty: ReactNode;
  filters?: ReactNode;
  rowId: (row: Row) => string;
  /** The address that a row opens; undefined if it opens none. */
  rowTarget?: (row: Row) => RowTarget | undefined;
  card: (row: Row) => Card;
  download?: Download;
  selection?: Selection<Row>;
  /** The actions for the selected rows; shown above the table while there are some. */
  selectionBar?: ReactNode;
  rowActions?: (row: Row) => ReactNode;
}

const NO_ROWS: never[] = [];

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { read, list, filters, empty, download, selection, rowActions } = props;
  const { data: page, error: failure } = read;
  // Rows of the previous filters are dimmed until the new ones arrive.
  const stale = read.isLoading && page !== undefined;
  const narrow = useIsNarrow();
  const [columnVisibility, setColumnVisibility] = useRememberedColumns(
    props.name,
    Object.fromEntries((props.hiddenAtFirst ?? []).map((id) => [id, false])),
  );
  const table = useTable({
    features,
    columns: props.columns,
    data: page?.data ?? NO_ROWS,
    getRowId: props.rowId,
    manualPagination: true,
    manualSorting: true,
    enableSorting: props.orderColumn !== undefined,
    enableSortingRemoval: false,
    enableMultiSort: false,
    rowCount: page?.meta.total ?? 0,
    state: {
      columnVisibility,
      pagination: { pageIndex: list.page - 1, pageSize: list.perPage },
      sorting: props.orderColumn ? [{ id: props.orderColumn, desc: list.order === "desc" }] : [],
    },
    onColumnVisibilityChange: setColumnVisibility,
    onSortingChange: () => list.setOrder(list.order === "desc" ? "asc" : "desc"),
  });

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
        <div className={styles.filters}>{filters}</div>
        <div className={styles.tools}>
          {narrow ? (
            props.orderColumn && <OrderButton list={list} words={props.orderWords} />
          ) : (
            <ColumnMenu choices={choices} />
          )}
          {download && <ExportButton download={download} />}
        </div>
      </div>
      {download && <ExportFailure download={download} className={styles.message} />}
      {selection && selection.rows.length > 0 && <div className={styles.selected}>{props.selectionBar}</div>}
      {failure && !stale ? (
        <FailureNotice failure={failure} onRetry={() => void read.mutate()} />
      ) : !hasRows ? (
        page.meta.total > 0 ? (
          <BeyondLastPage meta={page.meta} list={list} />
        ) : (
          empty
        )
      ) : narrow ? (
        <RowCards
          {...props}
          stale={stale}
          rows={page?.data}
          skeletonRows={Math.min(list.perPage, SKELETON_ROWS)}
        />
      ) : (
        <div className={styles.scroll} data-stale={stale || undefined}>
          <Table className={styles.table} aria-label={props.label} aria-busy={stale || !page}>
            <Table.Thead>
              {table.getHeaderGroups().map((group) => (
                <Table.Tr key={group.id}>
                  {selection && (
                    <Table.Th className={styles.tick} scope="col">
                      <Checkbox
                        aria-label={strings.list.selectPage}
                        checked={selection.all}
                        indeterminate={selection.some}
                        onChange={selection.toggleAll}
                      />
                    </Table.Th>
                  )}
                  {group.headers.map((header) => (
                    <HeaderCell key={header.id} header={header} />
                  ))}
                  {rowActions && (
                    <Table.Th scope="col" data-align="end">
                      {strings.list.actions}
                    </Table.Th>
                  )}
                </Table.Tr>
              ))}
            </Table.Thead>
            <Table.Tbody>
              {page ? (
                table.getRowModel().rows.map((row) => (
                  <OpeningRow key={row.id} target={props.rowTarget?.(row.original)}>
                    {selection && (
                      <Table.Td className={styles.tick}>
                        <Checkbox
                          aria-label={strings.list.select(selection.name(row.original))}
                          checked={selection.has(row.original)}
                          onChange={() => selection.toggle(row.original)}
                        />
                      </Table.Td>
                    )}
                    {row.getVisibleCells().map((cell) => (
                      <Table.Td key={cell.id} data-align={cell.column.columnDef.meta?.align}>
                        <table.FlexRender cell={cell} />
                      </Table.Td>
                    ))}
                    {rowActions && <Table.Td data-align="end">{rowActions(row.original)}</Table.Td>}
                  </OpeningRow>
                ))
              ) : (
                <SkeletonRows
                  rows={Math.min(list.perPage, SKELETON_ROWS)}
                  columns={table.getVisibleLeafColumns().length + (selection ? 1 : 0) + (rowActions ? 1 : 0)}
                />
              )}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {page && hasRows && !(failure && !stale) && <TablePager meta={page.meta} list={list} />}
    </section>
  );
}

function HeaderCell<Row extends RowData>({ header }: { header: Header<Features, Row, unknown> }) {
  const { column } = header;
  const title = String(column.columnDef.header);
  const align = column.columnDef.meta?.align;
  if (!column.getCanSort()) {
    return (
      <Table.Th scope="col" data-align={align}>
        {titleInLines(title)}
      </Table.Th>
    );
  }
  const sorted = column.getIsSorted();
  const Icon = sorted === "asc" ? IconArrowUp : sorted === "desc" ? IconArrowDown : IconArrowsSort;
  const direction = sorted === "asc" ? "ascending" : sorted === "desc" ? "descending" : "none";
  return (
    <Table.Th scope="col" data-align={align} aria-sort={direction}>
      <button
        type="button"
        className={styles.sort}
        onClick={() => column.toggleSorting()}
        title={strings.list.sortBy(title)}
      >
        {titleInLines(title)}
        <Icon size={15} aria-hidden />
      </button>
    </Table.Th>
  );
}

/** A click anywhere on a row opens it. The keyboard uses the link in the first cell. */
function OpeningRow({ target, children }: { target: RowTarget | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  if (!target) return <Table.Tr>{children}</Table.Tr>;
  const open = (event: MouseEvent) => {
    const own = event.target instanceof Element && event.target.closest("a, button, input, label");
    // A click that ends a selection of text opens nothing.
    if (own || event.metaKey || event.ctrlKey || window.getSelection()?.toString()) return;
    // Focus returns to this row when its modal closes or the browser goes back.
    event.currentTarget.querySelector("a")?.focus({ preventScroll: true });
    navigate(target.to, { state: target.state });
  };
  return (
    <Table.Tr className={styles.row} onClick={open}>
      {children}
    </Table.Tr>
  );
}

function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={16} width={`${55 + ((row * 7 + column * 13) % 40)}%`} my={3} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
