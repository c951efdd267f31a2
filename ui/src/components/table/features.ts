// The features of every table: the gateway pages and orders the rows, and columns can be hidden.
import {
  columnVisibilityFeature,
  metaHelper,
  type RowData,
  rowPaginationFeature,
  rowSortingFeature,
  type TableOptions,
  tableFeatures,
} from "@tanstack/react-table";

interface ColumnMeta {
  align?: "end";
}

export const features = tableFeatures({
  columnVisibilityFeature,
  rowPaginationFeature,
  rowSortingFeature,
  columnMeta: metaHelper<ColumnMeta>(),
});

export type Features = typeof features;
export type Columns<Row extends RowData> = TableOptions<Features, Row>["columns"];
