// The double-entry journal of a company, optionally as of an instant: the amount by which each event changes each
// account, and the account's balance afterwards.
import { IconBook } from "@tabler/icons-react";
import { useTimeZone } from "../../api/session";
import shared from "../../components/Shared.module.css";
import { DataTable } from "../../components/table/DataTable";
import { useList } from "../../components/table/useList";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import { zonedQuery } from "../withdrawals/filters";
import { HIDDEN_AT_FIRST, ORDER_COLUMN } from "./axisColumns";
import { JOURNAL_FILTERS } from "./filters";
import { entryTarget, journalCards, journalColumns, journalKey } from "./journalColumns";
import type { StaffListProps } from "./StaffStatement";

export default function Journal({ businessId, businessName, asOf }: StaffListProps) {
  const zone = useTimeZone();
  const axis = asOf.shownAxis;
  const list = useList("/admin/businesses/{id}/journal", {
    path: { id: businessId },
    filters: JOURNAL_FILTERS,
    query: ({ account, period }, order) => ({
      ...(account && { account }),
      ...zonedQuery(period, zone),
      ...asOf.query,
      order,
    }),
    file: ledgerStrings.journal.file,
    company: businessName,
  });
  return (
    <>
      <p className={shared.aside}>
        {ledgerStrings.journal.hint} {ledgerStrings.journal.axes[axis]}
      </p>
      <DataTable
        // Each axis has its own columns.
        key={axis}
        name={axis === "recorded" ? "journal-recorded" : "journal"}
        label={ledgerStrings.journal.table}
        columns={journalColumns[axis]}
        hiddenAtFirst={HIDDEN_AT_FIRST[axis]}
        orderColumn={ORDER_COLUMN[axis]}
        list={list}
        icon={IconBook}
        words={ledgerStrings.journal}
        rowId={journalKey}
        rowTarget={entryTarget}
        card={journalCards[axis]}
      />
    </>
  );
}
