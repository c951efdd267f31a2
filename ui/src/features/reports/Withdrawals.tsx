// The withdrawals of the report of payments: the number and the net amount of each status, and the list behind them.
import { Anchor } from "@mantine/core";
import { IconInbox, IconPrinter } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import type { ReactNode } from "react";
import { useMayOpen } from "../../api/access";
import { useDownload } from "../../api/download";
import { type Read, useApi } from "../../api/hooks";
import type { Transfer, TransferTotals } from "../../api/models";
import { BusinessSelect, type NamedBusiness } from "../../components/BusinessSelect";
import { DateRange } from "../../components/DateRange";
import { Figure, Figures } from "../../components/Figure";
import { FilterSelect } from "../../components/FilterSelect";
import { RefreshSelect } from "../../components/RefreshSelect";
import { DataTable } from "../../components/table/DataTable";
import { EmptyList } from "../../components/table/EmptyList";
import type { Features } from "../../components/table/features";
import { useList, useListState } from "../../components/table/listState";
import { ToolButton } from "../../components/table/ToolButton";
import { BUSINESS_ZONE } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { spanName } from "../../format/parts";
import { strings } from "../../strings/pt-BR";
import { reportStrings } from "../../strings/pt-BR.reports";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { statusChoices, type TransferFilters } from "../withdrawals/filters";
import { businessTarget, queueCard, queueColumns } from "../withdrawals/queueColumns";
import { WITHDRAWAL } from "../withdrawals/transferCodes";
import { staffOrder, transferColumns } from "../withdrawals/transferColumns";
import { PrintHead } from "./PrintHead";
import { companyText } from "./printText";
import styles from "./Reports.module.css";
import { SavedViewsMenu, type ViewedReport } from "./SavedViewsMenu";

const words = reportStrings.payments;
const column = createColumnHelper<Features, Transfer>();
/** The columns for staff who may not see balances. The company's name is no link to its balance. */
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
/** Both tables have these columns under the same ids, so a saved view fits either role. */
const VIEWED: ViewedReport = {
  report: "withdrawals",
  table: "report-withdrawals",
  columns: transferColumns.flatMap(({ id }) => id ?? []),
  hiddenAtFirst: HIDDEN,
};
/** In the order of the figures: pending, processing, approved, refused, failed. */
const STATUSES = ["0", "2", "1", "3", "4"] as const;
type Status = (typeof STATUSES)[number];

interface WithdrawalsProps {
  filters: TransferFilters;
  company: NamedBusiness | undefined;
  header: (tools: ReactNode) => ReactNode;
}

export default function Withdrawals({ filters, company, header }: WithdrawalsProps) {
  const list = useListState();
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  const orderColumn = staffOrder(filters.status);
  // The totals have a figure for each status, so the filter of the status restricts only the list.
  const scope = {
    ...filters.period,
    time_zone: BUSINESS_ZONE,
    // Adjustments by staff and rentals of card machines are transfers too.
    kind: WITHDRAWAL,
    ...(filters.business && { business_id: filters.business }),
  };
  const query = {
    ...filters.query,
    ...scope,
    ...(orderColumn && { order: list.order }),
  };
  const { file } = withdrawalsStrings.transfers;
  const { read, download } = useList("/admin/balance/transfers", { query }, list, file, company?.name);
  const csv = useDownload("/admin/balance/transfers", { query }, file, company?.name, "csv");
  const totals = useApi("/admin/balance/transfers/totals", { query: scope });
  const refresh = () => void Promise.all([read.mutate(), totals.mutate()]);
  return (
    <>
      {header(
        <div className={styles.tools}>
          <RefreshSelect name="report-withdrawals" reads={[read, totals]} onRefresh={refresh} />
          <ToolButton label={reportStrings.tools.print} icon={IconPrinter} onClick={() => window.print()} />
        </div>,
      )}
      <PrintHead
        company={companyText(company, filters.business)}
        period={filters.period ? spanName(filters.period) : reportStrings.print.anyPeriod}
        filters={
          filters.status ? `${withdrawalsStrings.transfers.status}: ${statusChoices[filters.status]}` : ""
        }
      />
      <div className={styles.figures} data-many>
        <Figures label={words.figures}>
          {STATUSES.map((status) => (
            <StatusFigure key={status} status={status} totals={totals} onChoose={filters.changeStatus} />
          ))}
        </Figures>
      </div>
      <DataTable
        name="report-withdrawals"
        label={withdrawalsStrings.transfers.table}
        columns={mayOpen ? linkedColumns : plainColumns}
        hiddenAtFirst={HIDDEN}
        {...(orderColumn && { orderColumn })}
        list={list}
        read={read}
        filters={<Filters filters={filters} company={company} />}
        empty={<EmptyList filters={filters} icon={IconInbox} words={withdrawalsStrings.transfers} />}
        rowId={({ id }) => id}
        rowTarget={(transfer) => (mayOpen ? businessTarget(transfer) : undefined)}
        card={queueCard}
        download={download}
        csv={csv}
      />
    </>
  );
}

function Filters({ filters, company }: Pick<WithdrawalsProps, "filters" | "company">) {
  return (
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
      <SavedViewsMenu viewed={VIEWED} />
    </>
  );
}

interface StatusFigureProps {
  status: Status;
  totals: Read<TransferTotals>;
  onChoose: (status: Status) => void;
}

/** The net amount and the number of the withdrawals with a status, and a button that lists them. */
function StatusFigure({ status, totals: { data, error }, onChoose }: StatusFigureProps) {
  const found = data?.by_status.find((each) => String(each.status) === status);
  const { count = 0, net_amount = 0 } = found ?? {};
  const note = (
    <span className={styles.note}>
      <span>{words.note[status](count, wholeNumber(count))}</span>
      {count > 0 && (
        <Anchor
          component="button"
          type="button"
          inherit
          underline="always"
          className={styles.behind}
          onClick={() => onChoose(status)}
        >
          {words.behind}
        </Anchor>
      )}
    </span>
  );
  return (
    <Figure
      label={statusChoices[status]}
      value={error && !data ? strings.list.none : data && money(net_amount)}
      note={data && note}
      sample={"\u00a0"}
    />
  );
}
