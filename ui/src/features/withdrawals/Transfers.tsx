// A list of transfers as a table. The page reads the transfers and passes them in.
import { IconArrowUpRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { Download } from "../../api/download";
import type { Paged, Read } from "../../api/hooks";
import type { Transfer } from "../../api/models";
import { DateRange } from "../../components/DateRange";
import { FilterSelect } from "../../components/FilterSelect";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { ListState } from "../../components/table/listState";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { statusChoices, type TransferFilters } from "./filters";
import { TRANSFERS_HIDDEN_AT_FIRST, transferCard, transferColumns } from "./transferColumns";

interface TransfersProps {
  name: string;
  read: Read<Paged<Transfer>>;
  list: ListState;
  filters: TransferFilters;
  download: Download;
  rowActions?: (transfer: Transfer) => ReactNode;
  /** The column of the order; undefined if no single column describes it. */
  orderColumn?: string | undefined;
}

export function Transfers(props: TransfersProps) {
  const { name, read, list, filters, download, rowActions, orderColumn } = props;
  return (
    <DataTable
      name={name}
      label={withdrawalsStrings.transfers.table}
      columns={transferColumns}
      hiddenAtFirst={TRANSFERS_HIDDEN_AT_FIRST}
      {...(orderColumn && { orderColumn })}
      list={list}
      read={read}
      filters={
        <>
          <FilterSelect
            label={withdrawalsStrings.transfers.status}
            placeholder={withdrawalsStrings.transfers.all}
            options={statusChoices}
            value={filters.status}
            onChange={filters.changeStatus}
          />
          <DateRange value={filters.period} onChange={filters.changePeriod} />
        </>
      }
      empty={<EmptyList filters={filters} icon={IconArrowUpRight} words={withdrawalsStrings.transfers} />}
      rowId={(transfer) => transfer.id}
      card={transferCard}
      download={download}
      rowActions={rowActions}
    />
  );
}
