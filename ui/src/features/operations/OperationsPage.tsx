// The lists behind figures of the staff's home: late payouts, refunds and e-mails, overdue receivables, negative
// balances, and the followers. Only the visible tab is read.
import { Tabs } from "@mantine/core";
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { ReactNode } from "react";
import { screenTitle, useMayCall } from "../../api/access";
import { PageHeader } from "../../components/PageHeader";
import { operationsStrings as words } from "../../strings/pt-BR.operations";
import { Followers } from "./Followers";
import { LatePayouts, LateRefunds } from "./LateEffects";
import { LateEmails } from "./LateEmails";
import { NegativeBalances } from "./NegativeBalances";
import styles from "./Operations.module.css";
import { Overdue } from "./Overdue";

type Tab = keyof typeof words.tab;

const lists: Readonly<Record<Tab, () => ReactNode>> = {
  payouts: LatePayouts,
  refunds: LateRefunds,
  emails: LateEmails,
  receivables: Overdue,
  balances: NegativeBalances,
  followers: Followers,
};
const TABS = Object.keys(lists) as Tab[];
// Another tab starts at its first page.
const parsers = { tab: parseAsStringLiteral(TABS), page: parseAsInteger };

/** The tabs whose lists the user may read. */
function useTabs(): Tab[] {
  const allowed: Record<Tab, boolean> = {
    payouts: useMayCall("GET /admin/operations/payouts"),
    refunds: useMayCall("GET /admin/operations/refunds"),
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
      <Tabs
        value={shown}
        onChange={(next) => void set({ tab: TABS.find((each) => each === next) ?? null, page: null })}
        keepMounted={false}
        classNames={{ list: styles.tabs, tab: styles.tab }}
      >
        <Tabs.List aria-label={words.tabs}>
          {tabs.map((each) => (
            <Tabs.Tab key={each} value={each}>
              {words.tab[each]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {tabs.map((each) => {
          const List = lists[each];
          return (
            <Tabs.Panel key={each} value={each} pt="md">
              <List />
            </Tabs.Panel>
          );
        })}
      </Tabs>
    </>
  );
}
