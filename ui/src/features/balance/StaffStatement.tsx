// A company's statement as staff read it, optionally as of an instant.
import { linesOf } from "../../api/balance";
import { useTimeZone } from "../../api/session";
import { useList } from "../../components/table/useList";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { zonedQuery } from "../withdrawals/filters";
import type { AsOf } from "./asOf";
import { STATEMENT_FILTERS } from "./filters";
import { Statement } from "./Statement";
import { eventOfLine, staffStatementColumns } from "./staffStatementColumns";

export interface StaffListProps {
  businessId: string;
  /** Undefined until it is read. */
  businessName: string | undefined;
  asOf: AsOf;
}

export function StaffStatement({ businessId, businessName, asOf }: StaffListProps) {
  const zone = useTimeZone();
  const list = useList("/admin/balance/history", {
    filters: STATEMENT_FILTERS,
    query: ({ period }, order) => ({
      business_id: businessId,
      ...zonedQuery(period, zone),
      ...asOf.query,
      order,
    }),
    file: balanceStrings.statement.file,
    company: businessName,
  });
  const axis = asOf.shownAxis;
  return (
    <Statement
      name={axis === "recorded" ? "business-statement-recorded" : "business-statement"}
      axis={axis}
      columns={staffStatementColumns[axis]}
      lineTarget={eventOfLine}
      list={{ ...list, read: { ...list.read, data: linesOf(list.read.data) } }}
    />
  );
}
