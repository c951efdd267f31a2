// The table of every list page. Rows, order and pages come from the gateway; this only shows them: as a
// table, as cards of two lines on a phone, as a skeleton, as an empty list, or as what went wrong.
import { Skeleton, Table } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import { type Header, type RowData, useTable } from "@tanstack/react-table";
import type { MouseEvent, ReactNode } from "react";
import { Link, type To, useNavigate } from "react-router";
import type { Failure } from "../../api/failure";
import type { PageMeta } from "../../api/models";
import { strings } from "../../strings/pt-BR";
import { FailureNotice } from "../Notice";
import { useIsPhone } from "../useIsPhone";
import { ColumnMenu } from "./ColumnMenu";
import styles from "./DataTable.module.css";
import { type Columns, type Features, features } from "./features";
import type { ListState } from "./listState";
import { TablePager } from "./TablePager";
import { useRememberedColumns } from "./useRememberedColumns";

const SKELETON_ROWS = 8;

/** The two lines of a row on a phone. */
export interface Card {
  title: ReactNode;
  value: ReactNode;
  note: ReactNode;
  mark: ReactNode;
}

/** Where a row leads, and what a screen reader calls the way there. */
export interface RowTarget {
  to: To;
  state?: unknown;
  label: string;
}

interface DataTableProps<Row extends RowData> {
  /** Unchanging: the hidden columns are remembered under it. */
  name: string;
  label: string;
  columns: Columns<Row>;
  hiddenAtFirst?: readonly string[];
  /** The column that the gateway orders by. */
  orderColumn: string;
  list: ListState;
  page: { data: Row[]; meta: PageMeta } | undefined;
  /** The rows shown belong to the question before: dim them. */
  stale: boolean;
  failure: Failure | undefined;
  onRetry: () => void;
  empty: ReactNode;
  filters?: ReactNode;
  rowId: (row: Row) => string;
  rowTarget: (row: Row) => RowTarget;
  card: (row: Row) => Card;
}

const NO_ROWS: never[] = [];

export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const { page, list, failure, filters, empty } = props;
  const phone = useIsPhone();
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
    enableSortingRemoval: false,
    enableMultiSort: false,
    rowCount: page?.meta.total ?? 0,
    state: {
      columnVisibility,
      pagination: { pageIndex: list.page - 1, pageSize: list.perPage },
      sorting: [{ id: props.orderColumn, desc: list.order === "desc" }],
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
    <section className={styles.frame} aria-label={props.label}>
      {(filters || !phone) && (
        <div className={styles.bar}>
          <div className={styles.filters}>{filters}</div>
          {!phone && <ColumnMenu choices={choices} />}
        </div>
      )}
      {failure && !props.stale ? (
        <FailureNotice failure={failure} onRetry={props.onRetry} />
      ) : !hasRows ? (
        empty
      ) : phone ? (
        <Cards {...props} />
      ) : (
        <div className={styles.scroll} data-stale={props.stale || undefined}>
          <Table className={styles.table} aria-label={props.label} aria-busy={props.stale || !page}>
            <Table.Thead>
              {table.getHeaderGroups().map((group) => (
                <Table.Tr key={group.id}>
                  {group.headers.map((header) => (
                    <HeaderCell key={header.id} header={header} />
                  ))}
                </Table.Tr>
              ))}
            </Table.Thead>
            <Table.Tbody>
              {page ? (
                table.getRowModel().rows.map((row) => (
                  <OpeningRow key={row.id} target={props.rowTarget(row.original)}>
                    {row.getVisibleCells().map((cell) => (
                      <Table.Td key={cell.id} data-align={cell.column.columnDef.meta?.align}>
                        <table.FlexRender cell={cell} />
                      </Table.Td>
                    ))}
                  </OpeningRow>
                ))
              ) : (
                <SkeletonRows columns={table.getVisibleLeafColumns().length} />
              )}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {page && hasRows && !(failure && !props.stale) && <TablePager meta={page.meta} list={list} />}
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
        {title}
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
        {title}
        <Icon size={15} aria-hidden />
      </button>
    </Table.Th>
  );
}

/** A click anywhere on the row opens it; the keyboard uses the link in its first cell. */
function OpeningRow({ target, children }: { target: RowTarget; children: ReactNode }) {
  const navigate = useNavigate();
  const open = (event: MouseEvent) => {
    const own = event.target instanceof Element && event.target.closest("a, button");
    // Someone who is marking text to copy does not mean to leave.
    if (own || event.metaKey || event.ctrlKey || window.getSelection()?.toString()) return;
    navigate(target.to, { state: target.state });
  };
  return (
    <Table.Tr className={styles.row} onClick={open}>
      {children}
    </Table.Tr>
  );
}

function SkeletonRows({ columns }: { columns: number }) {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={16} width={`${55 + ((row * 7 + column * 13) % 40)}%`} my={3} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}

function Cards<Row extends RowData>({ page, label, stale, rowId, rowTarget, card }: DataTableProps<Row>) {
  if (!page) {
    return (
      <ul className={styles.cards} aria-label={label} aria-busy>
        {Array.from({ length: SKELETON_ROWS }, (_, row) => (
          <li key={row} className={styles.cardSkeleton}>
            <Skeleton height={16} width="80%" />
            <Skeleton height={14} width="55%" mt={10} />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul className={styles.cards} aria-label={label} aria-busy={stale} data-stale={stale || undefined}>
      {page.data.map((row) => {
        const target = rowTarget(row);
        const { title, value, note, mark } = card(row);
        return (
          <li key={rowId(row)}>
            <Link className={styles.card} to={target.to} state={target.state}>
              <span className={styles.cardLine}>
                <strong>{title}</strong>
                <strong>{value}</strong>
              </span>
              <span className={styles.cardLine}>
                <span className={styles.cardNote}>{note}</span>
                {mark}
              </span>
            </Link>
          </li>
        );
      })}
    </ul>
  );
}
