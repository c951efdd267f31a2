// The lists of a balance behind tabs; only the visible one is read. The journal is for staff.
import type { ReactNode } from "react";
import { PageTabs } from "../../components/PageTabs";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { useBalanceTab } from "./filters";

const words = balanceStrings.balance;

interface BalanceTabsProps {
  statement: ReactNode;
  transfers: ReactNode;
  journal?: ReactNode;
}

export function BalanceTabs({ statement, transfers, journal }: BalanceTabsProps) {
  const { tab, change } = useBalanceTab();
  const shown = tab === "journal" && !journal ? "statement" : tab;
  return (
    <PageTabs
      label={words.tabs}
      open={shown}
      onChange={change}
      tabs={[
        ["statement", words.statement, statement],
        ["transfers", words.transfers, transfers],
        ...(journal ? [["journal", words.journal, journal] as const] : []),
      ]}
    />
  );
}
