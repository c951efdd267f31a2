// How sales compare with the payments that acquirers report, for staff. The five tabs: differences, settlement days,
// reported payments, imports, and agreed rates. Only the open tab is mounted.
import { Skeleton } from "@mantine/core";
import { lazy, Suspense, useEffect, useRef } from "react";
import { screenTitle } from "../../api/access";
import { useFlash } from "../../components/flash";
import { PageHeader } from "../../components/PageHeader";
import { PageTabs } from "../../components/PageTabs";
import { ServerMessage } from "../../components/ServerMessage";
import { settlementsStrings as words } from "../../strings/pt-BR.settlements";
import { Days } from "./Days";
import { Differences } from "./Differences";
import { useReconciliationTab } from "./filters";
import { Imports } from "./Imports";
import styles from "./Reconciliation.module.css";
import { Reported } from "./Reported";

const AgreedRates = lazy(() => import("./AgreedRates"));

export default function ReconciliationPage() {
  const { tab: open, change } = useReconciliationTab();
  const flash = useFlash();
  const tabs = useRef<HTMLDivElement>(null);
  // On a phone the chosen tab may be beyond the edge.
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time another tab is chosen
  useEffect(() => {
    tabs.current
      ?.querySelector("[aria-selected=true]")
      ?.scrollIntoView({ inline: "nearest", block: "nearest" });
  }, [open]);
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/conciliacao")} hint={words.hint} />
      <ServerMessage message={flash.text} variant="success" onClose={flash.close} />
      <PageTabs
        label={words.tabs}
        open={open}
        onChange={change}
        scrolls
        listClass={styles.tabs}
        listRef={tabs}
        tabs={[
          ["differences", words.tab.differences, <Differences key="differences" onDone={flash.show} />],
          ["days", words.tab.days, <Days key="days" />],
          ["reported", words.tab.reported, <Reported key="reported" />],
          ["imports", words.tab.imports, <Imports key="imports" onDone={flash.show} />],
          [
            "rates",
            words.tab.rates,
            <Suspense key="rates" fallback={<Skeleton height={420} radius={12} />}>
              <AgreedRates onDone={flash.show} />
            </Suspense>,
          ],
        ]}
      />
    </>
  );
}
