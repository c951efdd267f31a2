// The lists of one business's money behind tabs; only the shown one is read. The journal is for staff.
import { Button, Tabs } from "@mantine/core";
import { IconFilterOff, IconListSearch, type IconReceipt } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Notice } from "../../components/Notice";
import { strings } from "../../strings/pt-BR";
import styles from "./Balance.module.css";
import type { BalanceFilters, Tab } from "./filters";

const words = strings.balance;

interface MovementsProps {
  filters: BalanceFilters;
  statement: ReactNode;
  transfers: ReactNode;
  journal?: ReactNode;
}

export function Movements({ filters, statement, transfers, journal }: MovementsProps) {
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
        {journal && <Tabs.Tab value="journal">{strings.journal.tab}</Tabs.Tab>}
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

interface NothingProps {
  filters: Pick<BalanceFilters, "any" | "clear">;
  icon: typeof IconReceipt;
  words: { emptyTitle: string; empty: string; nothingFoundTitle?: string; nothingFound?: string };
}

/** An empty list: nothing there at all, or nothing that fits the filters. */
export function Nothing({ filters, icon, words: { emptyTitle, empty, ...found } }: NothingProps) {
  if (!filters.any) {
    return (
      <Notice icon={icon} title={emptyTitle}>
        {empty}
      </Notice>
    );
  }
  const clear = (
    <Button variant="default" leftSection={<IconFilterOff size={16} aria-hidden />} onClick={filters.clear}>
      {strings.list.clearFilters}
    </Button>
  );
  return (
    <Notice icon={IconListSearch} title={found.nothingFoundTitle ?? emptyTitle} action={clear}>
      {found.nothingFound ?? empty}
    </Notice>
  );
}
