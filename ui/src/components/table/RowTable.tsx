// The rows of a list as a table, for a wide screen.
import { Checkbox, Skeleton, Table } from "@mantine/core";
import { IconArrowDown, IconArrowsSort, IconArrowUp } from "@tabler/icons-react";
import type { Header, ReactTable, RowData } from "@tanstack/react-table";
import type { MouseEvent, ReactNode } from "react";
import { useNavigate } from "react-router";
import { strings } from "../../strings/pt-BR";
import { titleInLines } from "./columnTitle";
import type { RowTarget } from "./DataTable";
import styles from "./DataTable.module.css";
import type { Features } from "./features";
import type { Selection } from "./selection";

interface RowTableProps<Row extends RowData> {
  label: string;
  table: ReactTable<Features, Row>;
  stale: boolean;
  loading: boolean;
  skeletonRows: number;
  rowTarget?: ((row: Row) => RowTarget | undefined) | undefined;
  selection?: Selection<Row> | undefined;
  rowActions?: ((row: Row) => ReactNode) | undefined;
  /** The cell of each column in a last row of totals. A table with totals has neither a selection nor actions. */
  total?: ((column: string) => ReactNode) | undefined;
}

export function RowTable<Row extends RowData>(props: RowTableProps<Row>) {
  const { label, table, stale, loading, skeletonRows, selection, rowActions } = props;
  return (
    <div className={styles.scroll} data-stale={stale || undefined}>
      <Table className={styles.table} aria-label={label} aria-busy={stale || loading}>
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
          {loading ? (
            <SkeletonRows
              rows={skeletonRows}
              columns={table.getVisibleLeafColumns().length + (selection ? 1 : 0) + (rowActions ? 1 : 0)}
            />
          ) : (
            <Rows {...props} />
          )}
        </Table.Tbody>
        {props.total && !loading && (
          <Table.Tfoot className={styles.total}>
            <Table.Tr>
              {table.getVisibleLeafColumns().map(({ id, columnDef }) => (
                <Table.Td key={id} data-align={columnDef.meta?.align}>
                  {props.total?.(id)}
                </Table.Td>
              ))}
            </Table.Tr>
          </Table.Tfoot>
        )}
      </Table>
    </div>
  );
}

function Rows<Row extends RowData>({ table, rowTarget, selection, rowActions }: RowTableProps<Row>) {
  return table.getRowModel().rows.map((row) => (
    <OpeningRow key={row.id} target={rowTarget?.(row.original)}>
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
  ));
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

/** A click on a row opens it, except on a control in it. The keyboard uses the link in the row (`RowLink`). */
function OpeningRow({ target, children }: { target: RowTarget | undefined; children: ReactNode }) {
  const navigate = useNavigate();
  if (!target) return <Table.Tr>{children}</Table.Tr>;
  const open = (event: MouseEvent) => {
    const hasOwnAction = event.target instanceof Element && event.target.closest("a, button, input, label");
    // A click that ends a selection of text opens nothing.
    if (hasOwnAction || event.metaKey || event.ctrlKey || window.getSelection()?.toString()) return;
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

/** Hidden from screen readers, which would read empty rows. */
function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  return Array.from({ length: rows }, (_, row) => (
    <Table.Tr key={row} aria-hidden>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={16} width={`${55 + ((row * 7 + column * 13) % 40)}%`} my={3} />
        </Table.Td>
      ))}
    </Table.Tr>
  ));
}
