// The lists behind figures of the staff's home: adjustments that wait for a second person, late payouts, refunds,
// charges and e-mails, overdue receivables, negative balances, and the followers. Only the visible tab is read.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { screenTitle, useMayCall } from "../../api/access";
import { PageHeader } from "../../components/PageHeader";
import { PageTabs } from "../../components/PageTabs";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { Adjustments } from "./Adjustments";
import { Followers } from "./Followers";
import { LateCharges, LatePayouts, LateRefunds } from "./LateEffects";
import { LateEmails } from "./LateEmails";
import { NegativeBalances } from "./NegativeBalances";
import { Overdue } from "./Overdue";

type Tab = keyof typeof words.tab;

const lists: Readonly<Record<Tab, () => ReactNode>> = {
  adjustments: Adjustments,
  payouts: LatePayouts,
  refunds: LateRefunds,
  charges: LateCharges,
  emails: LateEmails,
  receivables: Overdue,
  balances: NegativeBalances,
  followers: Followers,
};
const TABS = Object.keys(lists) as Tab[];
// Another tab starts at its first page.
const parsers = { tab: parseAsStringLiteral(TABS), page: parseAsInteger, status: parseAsString };

/** The tabs whose lists the user may read. */
function useTabs(): Tab[] {
  const allowed: Record<Tab, boolean> = {
    adjustments: useMayCall("GET /admin/balance/adjustments"),
    payouts: useMayCall("GET /admin/operations/payouts"),
    refunds: useMayCall("GET /admin/operations/refunds"),
    charges: useMayCall("GET /admin/operations/charges"),
    emails: useMayCall("GET /admin/operations/emails"),
    receivables: useMayCall("GET /admin/operations/receivables"),
    balances: useMayCall("GET /admin/operations/negative-balances"),
    followers: useMayCall("GET /admin/operations/followers"),
  };
  return TABS.filter((tab) => allowed[tab]);
}

export default function OperationsPage() {
  const tabs = useTabs();
  const [{ tab }, set] = useQueryStates(parsers, { history: "push" });
  const shown = tabs.find((each) => each === tab) ?? tabs[0];
  if (!shown) return null;
  return (
    <>
      <PageHeader title={screenTitle("/ajustes/operacao")} hint={words.hint} />
      <PageTabs
        label={words.tabs}
        open={shown}
        onChange={(next) => void set({ tab: next, page: null, status: null })}
        scrolls
        tabs={tabs.map((each) => {
          const List = lists[each];
          return [each, words.tab[each], <List key={each} />];
        })}
      />
    </>
  );
}
