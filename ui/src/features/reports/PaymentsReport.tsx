// The report of payments: the withdrawals of companies, and the sales that were settled, behind two tabs.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { lazy, type ReactNode, Suspense } from "react";
import { screenTitle } from "../../api/access";
import { useNamedBusiness } from "../../components/BusinessSelect";
import { PageHeader } from "../../components/PageHeader";
import { PageLoader } from "../../components/PageLoader";
import { PageTabs } from "../../components/PageTabs";
import { paymentsReportStrings } from "../../strings/pt-BR.paymentsReport";
import { reportStrings } from "../../strings/pt-BR.reports";
import { definitions } from "./definitions";
import styles from "./Reports.module.css";

// The code of a tab loads when the tab is first shown.
const Withdrawals = lazy(() => import("./Withdrawals"));
const Report = lazy(() => import("./Report"));

const words = paymentsReportStrings;
const TABS = ["withdrawals", "settled"] as const;
// Another tab starts at its first page, in its own order. The period and the company stay.
const parsers = {
  tab: parseAsStringLiteral(TABS).withDefault("withdrawals"),
  business: parseAsString,
  page: parseAsInteger,
  order: parseAsString,
};

export default function PaymentsReport() {
  const [{ tab, business }, set] = useQueryStates(parsers, { history: "push" });
  const company = useNamedBusiness(business);
  const header = (tools: ReactNode) => (
    <>
      <PageHeader
        title={screenTitle(definitions.settled.route)}
        hint={`${definitions.settled.hint} ${reportStrings.daysInBrasilia}`}
        actions={tools}
      />
      <PageTabs
        label={words.tabs}
        open={tab}
        onChange={(next) => void set({ tab: next, page: null, order: null })}
        tabs={TABS.map((each) => [each, words[each]])}
        listClass={styles.tabs}
      />
    </>
  );
  return (
    <Suspense fallback={<PageLoader />}>
      {tab === "settled" ? (
        <Report definition={definitions.settled} company={company} header={header} />
      ) : (
        <Withdrawals company={company} header={header} />
      )}
    </Suspense>
  );
}
