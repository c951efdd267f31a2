// A seller's money: the balance in four figures, its history, its lists, and the button to withdraw.
import { Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { linesOf, totalsOf } from "../../api/balance";
import { useApi } from "../../api/hooks";
import { useBusiness, useTimeZone } from "../../api/session";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { useList } from "../../components/table/useList";
import { WithdrawButton } from "../../components/WithdrawButton";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { zonedQuery } from "../withdrawals/filters";
import { BalanceFigures } from "./BalanceFigures";
import { BalanceHistory } from "./BalanceHistory";
import { BalanceTabs } from "./BalanceTabs";
import { STATEMENT_FILTERS } from "./filters";
import { Statement } from "./Statement";
import { sellerStatementColumns, targetOfLine } from "./sellerStatementColumns";

// Lazy, to keep the page within its weight budget.
const SellerDebts = lazy(() => import("../debts/SellerDebts"));
const SellerTransfers = lazy(() => import("../withdrawals/SellerTransfers"));

const words = balanceStrings.balance;

export default function FinancePage() {
  const business = useBusiness();
  const [requested, setRequested] = useState<string>();
  const balance = useApi("/balance/history", { query: { business_id: business.id, totals: 1 } });
  const totals = totalsOf(balance.data);
  const isBelowZero = totals !== undefined && totals.available < 0;
  return (
    <>
      <PageHeader
        title={words.title}
        hint={words.hint}
        actions={<WithdrawButton businessId={business.id} onRequested={setRequested} />}
      />
      <ServerMessage message={requested} variant="success" onClose={() => setRequested(undefined)} />
      <BalanceFigures totals={totals} failed={balance.error !== undefined} />
      {isBelowZero && (
        <Suspense fallback={<Skeleton height={320} radius={12} />}>
          <SellerDebts businessId={business.id} />
        </Suspense>
      )}
      <BalanceHistory businessId={business.id} />
      <BalanceTabs
        statement={<SellerStatement />}
        transfers={
          <Suspense fallback={<Skeleton height={420} radius={12} />}>
            <SellerTransfers />
          </Suspense>
        }
      />
    </>
  );
}

function SellerStatement() {
  const business = useBusiness();
  const zone = useTimeZone();
  const list = useList("/balance/history", {
    filters: STATEMENT_FILTERS,
    query: ({ period }, order) => ({ business_id: business.id, ...zonedQuery(period, zone), order }),
    file: balanceStrings.statement.file,
    company: business.name,
  });
  return (
    <Statement
      name="statement"
      columns={sellerStatementColumns}
      lineTarget={targetOfLine}
      list={{ ...list, read: { ...list.read, data: linesOf(list.read.data) } }}
    />
  );
}
