// Payouts, refunds and charges that a bank or an acquirer has not ended in time. A row opens the withdrawals of its
// company, or its sale.
import { IconClockCheck } from "@tabler/icons-react";
import { useMayOpen } from "../../api/access";
import type { LateCharge, LatePayout, LateRefund } from "../../api/models";
import { Instant } from "../../components/Instant";
import { columnsFor } from "../../components/table/columns";
import { type Card, DataTable, type RowTarget } from "../../components/table/DataTable";
import { RowLink } from "../../components/table/RowLink";
import { useList } from "../../components/table/useList";
import { money } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import styles from "./Operations.module.css";
import { openRowColumns } from "./openRowColumns";
import { useRetries } from "./useRetries";

const titles = words.columns;
const statuses: Readonly<Record<string, string>> = words.status;

type LateOfSale = LateRefund | LateCharge;
type Late = LatePayout | LateOfSale;

const companyOf = (late: Late) => late.business_name ?? words.unnamed;
const retryName = (late: Late) => words.retryName(money(late.amount), companyOf(late));
const statusText = ({ status }: Late) => statuses[status] ?? status;

function columnsOf<Row extends Late>(target: (row: Row) => RowTarget | undefined) {
  const column = columnsFor<Row>();
  return [
    column.shown(
      "business",
      titles.business,
      (row) => {
        const opens = target(row);
        const name = companyOf(row);
        return opens ? <RowLink target={opens}>{name}</RowLink> : name;
      },
      { fixed: true },
    ),
    column.shown("amount", titles.amount, (row) => money(row.amount), { align: "end" }),
    column.shown("status", titles.status, (row) => statusText(row)),
    ...openRowColumns<Row>(),
  ];
}

function card(late: Late): Card {
  return {
    title: companyOf(late),
    value: money(late.amount),
    note: <Instant at={late.created_at} />,
    badge: statusText(late),
  };
}

/** The status of withdrawals in processing. */
const PROCESSING = "2";

function withdrawalsTarget(late: LatePayout): RowTarget {
  const search = new URLSearchParams({ status: PROCESSING, business: late.business_id });
  return {
    to: { pathname: "/saques", search: `?${search}` },
    label: words.openWithdrawals(companyOf(late)),
  };
}

const saleTarget = (late: LateOfSale): RowTarget => ({
  to: `/vendas/${late.sale_id}`,
  label: words.openSale(companyOf(late)),
});

const columns = {
  payouts: columnsOf(withdrawalsTarget),
  unlinkedPayouts: columnsOf<LatePayout>(() => undefined),
  ofSales: columnsOf(saleTarget),
};

export function LatePayouts() {
  const list = useList("/admin/operations/payouts");
  const mayOpen = useMayOpen("/saques");
  const retries = useRetries<LatePayout>("payouts", retryName, list.read);
  return (
    <div className={styles.request}>
      {retries.dialog}
      <DataTable
        name="latePayouts"
        label={words.payouts.table}
        words={words.payouts}
        icon={IconClockCheck}
        columns={mayOpen ? columns.payouts : columns.unlinkedPayouts}
        list={list}
        rowId={({ id }) => id}
        rowTarget={(late) => (mayOpen ? withdrawalsTarget(late) : undefined)}
        card={card}
        afterFilters={retries.all}
        rowActions={retries.rowActions}
      />
    </div>
  );
}

interface LateOfSalesProps {
  work: "refunds" | "charges";
  /** The name under which browsers store the hidden columns. */
  name: string;
}

function LateOfSales({ work, name }: LateOfSalesProps) {
  const list = useList(`/admin/operations/${work}`);
  const retries = useRetries<LateOfSale>(work, retryName, list.read);
  return (
    <div className={styles.request}>
      {retries.dialog}
      <DataTable
        name={name}
        label={words[work].table}
        words={words[work]}
        icon={IconClockCheck}
        columns={columns.ofSales}
        list={list}
        rowId={({ id }) => id}
        rowTarget={saleTarget}
        card={card}
        afterFilters={retries.all}
        rowActions={retries.rowActions}
      />
    </div>
  );
}

export const LateRefunds = () => <LateOfSales work="refunds" name="lateRefunds" />;
export const LateCharges = () => <LateOfSales work="charges" name="lateCharges" />;
