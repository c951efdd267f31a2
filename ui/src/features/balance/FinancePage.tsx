// A seller's money: the balance in four figures, its history, its lists, and the button to withdraw.
import { Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { linesOf, totalsOf } from "../../api/balance";
import { useApi } from "../../api/hooks";
import { useBusiness } from "../../api/session";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { useList, useListState } from "../../components/table/listState";
import { WithdrawButton } from "../../components/WithdrawButton";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { BalanceFigures } from "./BalanceFigures";
import { BalanceHistory } from "./BalanceHistory";
import { BalanceTabs } from "./BalanceTabs";
import { type BalanceFilters, useBalanceFilters } from "./filters";
import { Statement } from "./Statement";
import { saleLinkOfLine, sellerStatementColumns } from "./sellerStatementColumns";

// Lazy, to keep the page within its weight budget.
const SellerTransfers = lazy(() => import("../withdrawals/SellerTransfers"));

const words = balanceStrings.balance;

export default function FinancePage() {
  const business = useBusiness();
  const filters = useBalanceFilters();
  const [requested, setRequested] = useState<string>();
  const balance = useApi("/balance/history", { query: { business_id: business.id, totals: 1 } });
  return (
    <>
      <PageHeader
        title={words.title}
        hint={words.hint}
        actions={<WithdrawButton businessId={business.id} onRequested={setRequested} />}
      />
      <ServerMessage message={requested} variant="success" onClose={() => setRequested(undefined)} />
      <BalanceFigures totals={totalsOf(balance.data)} failed={balance.error !== undefined} />
      <BalanceHistory businessId={business.id} />
      <BalanceTabs
        filters={filters}
        statement={<SellerStatement businessId={business.id} filters={filters} />}
        transfers={
          <Suspense fallback={<Skeleton height={420} radius={12} />}>
            <SellerTransfers businessId={business.id} filters={filters} />
          </Suspense>
        }
      />
    </>
  );
}

interface SellerListProps {
  businessId: string;
  filters: BalanceFilters;
}

function SellerStatement({ businessId, filters }: SellerListProps) {
  const list = useListState();
  const query = { business_id: businessId, ...filters.range, order: list.order };
  const { read, download } = useList(
    "/balance/history",
    { query },
    list,
    balanceStrings.statement.file,
    useBusiness().name,
  );
  return (
    <Statement
      name="statement"
      read={{ ...read, data: linesOf(read.data) }}
      columns={sellerStatementColumns}
      lineTarget={saleLinkOfLine}
      list={list}
      filters={filters}
      download={download}
    />
  );
}
