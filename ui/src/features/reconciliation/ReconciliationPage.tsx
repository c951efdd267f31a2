// How sales compare with the payments that acquirers report, for staff. The five tabs: differences, settlement days,
// reported payments, imports, and agreed rates. Only the open tab is mounted.
import { Skeleton, Tabs } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef } from "react";
import { screenTitle } from "../../api/access";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { ServerMessage } from "../../components/ServerMessage";
import { settlementsStrings as words } from "../../strings/pt-BR.settlements";
import { Days } from "./Days";
import { Differences } from "./Differences";
import { TABS, type Tab, useReconciliationFilters } from "./filters";
import { Imports } from "./Imports";
import styles from "./Reconciliation.module.css";
import { Reported } from "./Reported";

const AgreedRates = lazy(() => import("./AgreedRates"));

export default function ReconciliationPage() {
  const filters = useReconciliationFilters();
  const flash = useFlash();
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone the chosen tab may be beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another tab is chosen
  useEffect(() => {
    tabs.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [filters.tab]);
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/conciliacao")} hint={words.hint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <Tabs
        value={filters.tab}
        onChange={(tab) => filters.change({ tab: tab as Tab })}
        keepMounted={false}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      >
        <Tabs.List ref={tabs} aria-label={words.tabs}>
          {TABS.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {words.tab[tab]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="differences" pt="md">
          <Differences filters={filters} onDone={flash.show} />
        </Tabs.Panel>
        <Tabs.Panel value="days" pt="md">
          <Days filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="reported" pt="md">
          <Reported filters={filters} />
        </Tabs.Panel>
        <Tabs.Panel value="imports" pt="md">
          <Imports filters={filters} onDone={flash.show} />
        </Tabs.Panel>
        <Tabs.Panel value="rates" pt="md">
          <Suspense fallback={<Skeleton height={420} radius={12} />}>
            <AgreedRates onDone={flash.show} />
          </Suspense>
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
