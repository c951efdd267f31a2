// The lists of a balance behind tabs; only the visible one is read. The journal is for staff.
import { Tabs } from "@mantine/core";
import type { ReactNode } from "react";
import { balanceStrings } from "../../strings/pt-BR.balance";
import styles from "./Balance.module.css";
import type { BalanceFilters, Tab } from "./filters";

const words = balanceStrings.balance;

interface BalanceTabsProps {
  filters: BalanceFilters;
  statement: ReactNode;
  transfers: ReactNode;
  journal?: ReactNode;
}

export function BalanceTabs({ filters, statement, transfers, journal }: BalanceTabsProps) {
  const shown = filters.tab === "journal" && !journal ? "statement" : filters.tab;
  return (
    <Tabs
      value={shown}
      onChange={(tab) => filters.changeTab(tab as Tab)}
      keepMounted={false}
      classNames={{ list: styles.tabs, tab: styles.tab }}
    >
      <Tabs.List aria-label={words.tabs}>
        <Tabs.Tab value="statement">{words.statement}</Tabs.Tab>
        <Tabs.Tab value="transfers">{words.transfers}</Tabs.Tab>
        {journal && <Tabs.Tab value="journal">{balanceStrings.balance.journal}</Tabs.Tab>}
      </Tabs.List>
      <Tabs.Panel value="statement" pt="md">
        {statement}
      </Tabs.Panel>
      <Tabs.Panel value="transfers" pt="md">
        {transfers}
      </Tabs.Panel>
      {journal && (
        <Tabs.Panel value="journal" pt="md">
          {journal}
        </Tabs.Panel>
      )}
    </Tabs>
  );
}
