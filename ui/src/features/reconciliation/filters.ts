// The tabs of the reconciliation, kept in the address, and the filters of their lists. Tabs that filter by acquirer or
// period share the choice.
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { type Chosen, choice, choiceFrom, daysIn, search } from "../../components/table/filters";
import { BUSINESS_ZONE } from "../../format/dates";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";

const words = settlementsStrings.differences;

export const FILTERS = {
  search: search(words.search, words.searchHint, { isWide: true }),
  kind: choice(words.kind, words.allKinds, words.kinds),
  state: choiceFrom(words.state, "open", words.stateChoices),
  provider: choice(
    settlementsStrings.provider,
    settlementsStrings.allProviders,
    paymentStrings.payment.providers,
  ),
  period: daysIn(BUSINESS_ZONE),
};

/** The filters that several tabs show. */
export const COMMON = ["provider", "period"] as const;

export const commonQuery = ({ provider, period }: Pick<Chosen<typeof FILTERS>, (typeof COMMON)[number]>) => ({
  ...(provider && { provider }),
  ...period,
});

const TABS = ["differences", "days", "reported", "imports", "rates"] as const;
export type Tab = (typeof TABS)[number];
const parsers = { tab: parseAsStringLiteral(TABS).withDefault("differences"), page: parseAsInteger };

/** The open tab. Another one starts at its first page. */
export function useReconciliationTab() {
  const [{ tab }, set] = useQueryStates(parsers, { history: "push" });
  return { tab, change: (next: Tab) => void set({ tab: next, page: null }) };
}
