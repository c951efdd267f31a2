// A company's statement as staff read it; it stops at the instant that is looked at.
import { useApi, useDownload } from "../../api/hooks";
import { useListState } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";
import type { AsOf } from "./asOf";
import type { BalanceFilters } from "./filters";
import { Statement } from "./Lists";
import { linesOf } from "./movementsRead";
import { eventOfLine, staffStatementColumns } from "./statementColumns";

export interface StaffListProps {
  businessId: string;
  /** Unknown until it is read. */
  businessName: string | undefined;
  filters: BalanceFilters;
  asOf: AsOf;
}

export function StaffStatement({ businessId, businessName, filters, asOf }: StaffListProps) {
  const list = useListState();
  const { page, perPage, order } = list;
  const query = { business_id: businessId, ...filters.range, ...asOf.query, order };
  const read = useApi("/admin/balance/history", { query: { ...query, page, perPage } });
  const download = useDownload("/admin/balance/history", { query }, strings.statement.file, businessName);
  const axis = asOf.shownAxis;
  return (
    <Statement
      name={axis === "recorded" ? "business-statement-recorded" : "business-statement"}
      axis={axis}
      lines={{ ...read, data: linesOf(read.data) }}
      columns={staffStatementColumns[axis]}
      lineTarget={eventOfLine}
      list={list}
      filters={filters}
      download={download}
    />
  );
}
