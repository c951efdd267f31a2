// How lists declare their columns: an id, a title, and what a row has there.
import { createColumnHelper, type RowData } from "@tanstack/react-table";
import type { ReactNode } from "react";
import type { Columns, Features } from "./features";

interface ColumnOptions {
  align?: "end";
  /** Whether the column cannot be hidden. */
  fixed?: boolean;
}

type Column<Row extends RowData> = Columns<Row>[number];

export function columnsFor<Row extends RowData>() {
  const helper = createColumnHelper<Features, Row>();
  return {
    /** A column that the list cannot be ordered by. */
    shown: (
      id: string,
      header: string,
      cell: (row: Row) => ReactNode,
      { align, fixed = false }: ColumnOptions = {},
    ): Column<Row> =>
      helper.display({
        id,
        header,
        enableHiding: !fixed,
        ...(align && { meta: { align } }),
        cell: ({ row }) => cell(row.original),
      }),
    /** A column that the gateway can order by. `isOrder` is false while it orders by another one. */
    ordered: (
      id: string,
      header: string,
      cell: (row: Row) => ReactNode,
      { align, fixed = false, isOrder = true }: ColumnOptions & { isOrder?: boolean } = {},
    ): Column<Row> =>
      helper.accessor(() => id, {
        id,
        header,
        enableHiding: !fixed,
        enableSorting: isOrder,
        ...(align && { meta: { align } }),
        cell: ({ row }) => cell(row.original),
      }) as Column<Row>,
  };
}
