// Payouts and refunds that a bank or an acquirer has not ended in time. A row opens the withdrawals of its company, or
// its sale.
import { IconClockCheck } from "@tabler/icons-react";
import { createColumnHelper } from "@tanstack/react-table";
import { useMayOpen } from "../../api/access";
import { useApi } from "../../api/hooks";
import type { LatePayout, LateRefund } from "../../api/models";
import { Instant } from "../../components/Instant";
import type { Card, RowTarget } from "../../components/table/DataTable";
import type { Features } from "../../components/table/features";
import { useListState } from "../../components/table/listState";
import { RowLink } from "../../components/table/RowLink";
import { money } from "../../format/money";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { OperationsList } from "./OperationsList";
import { openRowColumns } from "./openRowColumns";

const titles = words.columns;
const statuses: Readonly<Record<string, string>> = words.status;

type Late = LatePayout | LateRefund;

const companyOf = (late: Late) => late.business_name ?? words.unnamed;
const statusText = ({ status }: Late) => statuses[status] ?? status;

function columnsOf<Row extends Late>(target: (row: Row) => RowTarget | undefined) {
  const column = createColumnHelper<Features, Row>();
  return column.columns([
    column.display({
      id: "business",
      header: titles.business,
      enableHiding: false,
      cell: ({ row }) => {
        const opens = target(row.original);
        const name = companyOf(row.original);
        return opens ? <RowLink target={opens}>{name}</RowLink> : name;
      },
    }),
    column.display({
      id: "amount",
      header: titles.amount,
      meta: { align: "end" },
      cell: ({ row }) => money(row.original.amount),
    }),
    column.display({
      id: "status",
      header: titles.status,
      cell: ({ row }) => statusText(row.original),
    }),
    ...openRowColumns<Row>(),
  ]);
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

const saleTarget = (late: LateRefund): RowTarget => ({
  to: `/vendas/${late.sale_id}`,
  label: words.openSale(companyOf(late)),
});

const columns = {
  payouts: columnsOf(withdrawalsTarget),
  unlinkedPayouts: columnsOf<LatePayout>(() => undefined),
  refunds: columnsOf(saleTarget),
};

export function LatePayouts() {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/operations/payouts", { query: { page, perPage } });
  const mayOpen = useMayOpen("/saques");
  return (
    <OperationsList
      name="latePayouts"
      words={words.payouts}
      icon={IconClockCheck}
      columns={mayOpen ? columns.payouts : columns.unlinkedPayouts}
      list={list}
      read={read}
      rowId={({ id }) => id}
      rowTarget={(late) => (mayOpen ? withdrawalsTarget(late) : undefined)}
      card={card}
    />
  );
}

export function LateRefunds() {
  const list = useListState();
  const { page, perPage } = list;
  const read = useApi("/admin/operations/refunds", { query: { page, perPage } });
  return (
    <OperationsList
      name="lateRefunds"
      words={words.refunds}
      icon={IconClockCheck}
      columns={columns.refunds}
      list={list}
      read={read}
      rowId={({ id }) => id}
      rowTarget={saleTarget}
      card={card}
    />
  );
}
