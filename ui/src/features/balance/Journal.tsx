// The double-entry journal of a company, optionally as of an instant: the amount by which each event changes each
// account, and the account's balance afterwards.
import { IconBook } from "@tabler/icons-react";
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import { useList, useListState } from "../../components/table/listState";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import styles from "./AsOf.module.css";
import { HIDDEN_AT_FIRST, ORDER_COLUMN } from "./axisColumns";
import { accountChoices } from "./filters";
import { entryTarget, journalCards, journalColumns, journalKey } from "./journalColumns";
import type { StaffListProps } from "./StaffStatement";

export default function Journal({ businessId, businessName, filters, asOf }: StaffListProps) {
  const list = useListState();
  const path = { id: businessId };
  const axis = asOf.shownAxis;
  const account = filters.account ? { account: filters.account } : {};
  const query = { ...account, ...filters.range, ...asOf.query, order: list.order };
  const { read, download } = useList(
    "/admin/businesses/{id}/journal",
    { path, query },
    list,
    ledgerStrings.journal.file,
    businessName,
  );
  return (
    <>
      <p className={styles.aside}>
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
        read={read}
        filters={
          <>
            <FilterSelect
              label={ledgerStrings.journal.account}
              placeholder={ledgerStrings.journal.all}
              options={accountChoices}
              value={filters.account}
              onChange={filters.changeAccount}
            />
            <DateRange value={filters.period} onChange={filters.changePeriod} />
          </>
        }
        empty={<EmptyList filters={filters} icon={IconBook} words={ledgerStrings.journal} />}
        rowId={journalKey}
        rowTarget={entryTarget}
        card={journalCards[axis]}
        download={download}
      />
    </>
  );
}
