// A company's statement as staff read it, optionally as of an instant.
import { linesOf } from "../../api/balance";
import { useList, useListState } from "../../components/table/listState";
import { balanceStrings } from "../../strings/pt-BR.balance";
import type { AsOf } from "./asOf";
import type { BalanceFilters } from "./filters";
import { Statement } from "./Statement";
import { eventOfLine, staffStatementColumns } from "./staffStatementColumns";

export interface StaffListProps {
  businessId: string;
  /** Undefined until it is read. */
  businessName: string | undefined;
  filters: BalanceFilters;
  asOf: AsOf;
}

export function StaffStatement({ businessId, businessName, filters, asOf }: StaffListProps) {
  const list = useListState();
  const query = { business_id: businessId, ...filters.range, ...asOf.query, order: list.order };
  const { read, download } = useList(
    "/admin/balance/history",
    { query },
    list,
    balanceStrings.statement.file,
    businessName,
  );
  const axis = asOf.shownAxis;
  return (
    <Statement
      name={axis === "recorded" ? "business-statement-recorded" : "business-statement"}
      axis={axis}
      read={{ ...read, data: linesOf(read.data) }}
      columns={staffStatementColumns[axis]}
      lineTarget={eventOfLine}
      list={list}
      filters={filters}
      download={download}
    />
  );
}
