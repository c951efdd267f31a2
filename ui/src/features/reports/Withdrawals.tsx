// The withdrawals of the report of payments: how many have each status, and the list behind these numbers.
import { IconInbox } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { Transfer } from "../../api/models";
import { BusinessSelect, type NamedBusiness } from "../../components/BusinessSelect";
import { DateRange } from "../../components/DateRange";
import { Figure, Figures } from "../../components/Figure";
import { FilterSelect } from "../../components/FilterSelect";
import { RefreshSelect } from "../../components/RefreshSelect";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Features } from "../../components/table/features";
import { useList, useListState } from "../../components/table/listState";
import { BUSINESS_ZONE } from "../../format/dates";
import { wholeNumber } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { reportStrings } from "../../strings/pt-BR.reports";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { statusChoices, type TransferFilters } from "../withdrawals/filters";
import { businessTarget, queueCard, queueColumns } from "../withdrawals/queueColumns";
import { staffOrder, transferColumns } from "../withdrawals/transferColumns";
import { SavedViews, type ViewedReport } from "./SavedViews";

const words = reportStrings.payments;
const column = createColumnHelper<Features, Transfer>();
/** Staff who may not see balances: their rows open nothing. */
const plainColumns = [
  column.display({
    id: "business",
    header: withdrawalsStrings.transfers.columns.business,
    enableHiding: false,
    enableSorting: false,
    cell: ({ row }) => row.original.business.name,
  }),
  ...transferColumns,
];
const linkedColumns = queueColumns.filter(({ id }) => id !== "available");
const HIDDEN = ["kind", "updatedAt", "requestedBy", "reason"] as const;
/** Its columns are hidden by their ids, whatever table the role has. */
const VIEWED: ViewedReport = {
  report: "withdrawals",
  table: "report-withdrawals",
  columns: transferColumns.flatMap(({ id }) => id ?? []),
  hiddenAtFirst: HIDDEN,
};
const STATUSES = ["0", "2", "1", "3", "4"] as const;

interface WithdrawalsProps {
  filters: TransferFilters;
  company: NamedBusiness | undefined;
  head: (tools: ReactNode) => ReactNode;
}

export default function Withdrawals({ filters, company, head }: WithdrawalsProps) {
  const list = useListState();
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  const orderColumn = staffOrder(filters.status);
  const scope = {
    ...filters.period,
    time_zone: BUSINESS_ZONE,
    ...(filters.business && { business_id: filters.business }),
  };
  const query = {
    ...filters.query,
    ...scope,
    ...(orderColumn && { order: list.order }),
  };
  const { read, download } = useList(
    "/admin/balance/transfers",
    { query },
    list,
    withdrawalsStrings.transfers.file,
    company?.name,
  );
  return (
    <>
      {head(<RefreshSelect name="report-withdrawals" onRefresh={() => read.mutate()} />)}
      <Figures label={words.figures}>
        {STATUSES.map((status) => (
          <StatusFigure key={status} status={status} scope={scope} />
        ))}
      </Figures>
      <DataTable
        name="report-withdrawals"
        label={withdrawalsStrings.transfers.table}
        columns={mayOpen ? linkedColumns : plainColumns}
        hiddenAtFirst={HIDDEN}
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
            <BusinessSelect
              label={reportStrings.filters.company}
              placeholder={reportStrings.filters.anyCompany}
              size="sm"
              value={filters.business}
              onChange={filters.changeBusiness}
              chosen={company}
            />
            <DateRange value={filters.period} onChange={filters.changePeriod} zone={BUSINESS_ZONE} />
            <SavedViews viewed={VIEWED} />
          </>
        }
        empty={<EmptyList filters={filters} icon={IconInbox} words={withdrawalsStrings.transfers} />}
        rowId={({ id }) => id}
        rowTarget={(transfer) => (mayOpen ? businessTarget(transfer) : undefined)}
        card={queueCard}
        download={download}
      />
    </>
  );
}

interface StatusFigureProps {
  status: (typeof STATUSES)[number];
  scope: { start?: string; end?: string; time_zone: string; business_id?: string };
}

/** The number of transfers with a status. The list's answer counts them; its rows are not needed. */
function StatusFigure({ status, scope }: StatusFigureProps) {
  const { data, error } = useApi("/admin/balance/transfers", {
    query: { ...scope, status: Number(status), perPage: 1 },
  });
  const { total = 0, total_capped = false } = data?.meta ?? {};
  const shown = total_capped ? words.capped(wholeNumber(total)) : wholeNumber(total);
  return (
    <Figure
      label={statusChoices[status]}
      value={error ? strings.list.none : data && shown}
      note={words.note[status]}
    />
  );
}
