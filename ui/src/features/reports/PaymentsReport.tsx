// The report of payments: the withdrawals of companies, and the sales that were settled, behind two tabs.
import { Tabs } from "@mantine/core";
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { lazy, type ReactNode, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { useNamedBusiness } from "../../components/BusinessSelect";
import { PageHeader } from "../../components/PageHeader";
import { PageLoader } from "../../components/PageLoader";
import { reportStrings } from "../../strings/pt-BR.reports";
import { useTransferFilters } from "../withdrawals/filters";
import { definitions } from "./definitions";
import styles from "./Reports.module.css";

// The code of a tab loads when the tab is first shown.
const Withdrawals = lazy(() => import("./Withdrawals"));
const ReportParts = lazy(() => import("./ReportParts"));

const words = reportStrings.payments;
const TABS = ["withdrawals", "settled"] as const;
// Another tab starts at its first page, in its own order. The period and the company stay.
const parsers = {
  tab: parseAsStringLiteral(TABS).withDefault("withdrawals"),
  page: parseAsInteger,
  order: parseAsString,
};

export default function PaymentsReport() {
  const [{ tab }, set] = useQueryStates(parsers, { history: "push" });
  const filters = useTransferFilters();
  const company = useNamedBusiness(filters.business);
  const header = (tools: ReactNode) => (
    <>
      <PageHeader
        title={screenTitle(definitions.settled.route)}
        hint={`${definitions.settled.hint} ${reportStrings.daysInBrasilia}`}
        actions={tools}
      />
      <Tabs
        value={tab}
        onChange={(next) => {
          void set({ tab: TABS.find((each) => each === next) ?? null, page: null, order: null });
        }}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      >
        <Tabs.List aria-label={words.tabs}>
          {TABS.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
    </>
  );
  return (
    <Suspense fallback={<PageLoader />}>
      {tab === "settled" ? (
        <ReportParts definition={definitions.settled} company={company} header={header} />
      ) : (
        <Withdrawals filters={filters} company={company} header={header} />
      )}
    </Suspense>
  );
}
