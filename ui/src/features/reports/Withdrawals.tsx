// The withdrawals of the report of payments: the number and the net amount of each status, and the list behind them.
import { Anchor } from "@mantine/core";
import { IconInbox, IconPrinter } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useMayOpen } from "../../api/access";
import { useDownload } from "../../api/download";
import { type Read, useApi } from "../../api/hooks";
import type { Transfer, TransferTotals } from "../../api/models";
import type { NamedBusiness } from "../../components/BusinessSelect";
import type { Period } from "../../components/DateRange";
import { Figure, Figures } from "../../components/Figure";
import { RefreshSelect } from "../../components/RefreshSelect";
import { columnsFor } from "../../components/table/columns";
import { DataTable } from "../../components/table/DataTable";
import { type Chosen, company as companyFilter, periodIn } from "../../components/table/filters";
import type { Order } from "../../components/table/listState";
import { ToolButton } from "../../components/table/ToolButton";
import { useList } from "../../components/table/useList";
import { BUSINESS_ZONE } from "../../format/dates";
import { money, wholeNumber } from "../../format/money";
import { spanName } from "../../format/parts";
import { strings } from "../../strings/pt-BR";
import { paymentsReportStrings } from "../../strings/pt-BR.paymentsReport";
import { reportStrings } from "../../strings/pt-BR.reports";
import { statusStrings } from "../../strings/pt-BR.status";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { statusQuery, FILTERS as TRANSFER_FILTERS } from "../withdrawals/filters";
import { queueCard, queueColumns } from "../withdrawals/queueColumns";
import { withdrawalTarget } from "../withdrawals/Transfers";
import { WITHDRAWAL } from "../withdrawals/transferCodes";
import { staffOrder, transferColumns } from "../withdrawals/transferColumns";
import { PrintHead } from "./PrintHead";
import { companyText } from "./printText";
import styles from "./Reports.module.css";
import { SavedViewsMenu, type ViewedReport } from "./SavedViewsMenu";

const words = paymentsReportStrings;
const column = columnsFor<Transfer>();
/** The columns for staff who may not see balances. The company's name is no link to its balance. */
const plainColumns = [
  column.shown("business", withdrawalsStrings.transfers.columns.business, (row) => row.business.name, {
    fixed: true,
  }),
  ...transferColumns,
];
const linkedColumns = queueColumns.filter(({ id }) => id !== "available");
const HIDDEN = ["kind", "updatedAt", "requestedBy", "reason", "bankName", "returnName"] as const;
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
const statusNames = statusStrings.transferStatus;

const FILTERS = {
  status: TRANSFER_FILTERS.status,
  business: companyFilter(reportStrings.filters.company, reportStrings.filters.anyCompany),
  period: periodIn(BUSINESS_ZONE),
};

/** The totals have a figure for each status, so the filter of the status restricts only the list. */
const scopeOf = ({ period, business }: { period: Period | null; business: string | null }) => ({
  ...period,
  time_zone: BUSINESS_ZONE,
  // Adjustments by staff and rentals of card machines are transfers too.
  kind: WITHDRAWAL,
  ...(business && { business_id: business }),
});

interface WithdrawalsProps {
  company: NamedBusiness | undefined;
  header: (tools: ReactNode) => ReactNode;
}

export default function Withdrawals({ company, header }: WithdrawalsProps) {
  const mayOpen = useMayOpen("/empresas/:id/saldo");
  const queryOf = (chosen: Chosen<typeof FILTERS>, order: Order) => ({
    ...statusQuery(chosen.status),
    ...scopeOf(chosen),
    ...(staffOrder(chosen.status) && { order }),
  });
  const { file } = withdrawalsStrings.transfers;
  const list = useList("/admin/balance/transfers", { filters: FILTERS, query: queryOf, file });
  const { read, chosen } = list;
  const orderColumn = staffOrder(chosen.status);
  const query = queryOf(chosen, list.order);
  const csv = useDownload("/admin/balance/transfers", { query }, file, company?.name, "csv");
  const totals = useApi("/admin/balance/transfers/totals", { query: scopeOf(chosen) });
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
        company={companyText(company, chosen.business)}
        period={chosen.period ? spanName(chosen.period) : reportStrings.print.anyPeriod}
        filters={chosen.status ? `${withdrawalsStrings.transfers.status}: ${statusNames[chosen.status]}` : ""}
      />
      <div className={styles.figures} data-many>
        <Figures label={words.figures}>
          {STATUSES.map((status) => (
            <StatusFigure
              key={status}
              status={status}
              totals={totals}
              onChoose={(next) => list.change({ status: next })}
            />
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
        afterFilters={<SavedViewsMenu viewed={VIEWED} />}
        icon={IconInbox}
        words={withdrawalsStrings.transfers}
        rowId={({ id }) => id}
        rowTarget={withdrawalTarget}
        card={queueCard}
        csv={csv}
      />
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
      label={statusNames[status]}
      value={error && !data ? strings.list.none : data && money(net_amount)}
      note={data && note}
      sample={"\u00a0"}
    />
  );
}
