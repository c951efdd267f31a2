// The tabs of the plans, kept in the address, and the filters of their lists.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { choice, search } from "../../components/table/filters";
import { strings } from "../../strings/pt-BR";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.plans;

export const RECEIVING_FILTERS = {
  search: search(words.search, words.searchHint),
  active: choice(words.status, words.all, strings.activeStatus),
};
export const SALES_FILTERS = {
  search: RECEIVING_FILTERS.search,
  solution: choice(words.solution, words.allSolutions, paymentStrings.payment.solutions),
  active: RECEIVING_FILTERS.active,
};
export const CHANGE_FILTERS = { status: choice(words.status, words.all, plansStrings.changes.states) };

const TABS = ["vendas", "recebimento", "mudancas"] as const;
const tabParser = { tab: parseAsStringLiteral(TABS).withDefault("vendas") };

export type Tab = (typeof TABS)[number];

/** The open tab. Changing it clears the filters, the order and the page, because each tab has another list. */
export function usePlanTab() {
  const [{ tab }, set] = useQueryStates(
    {
      ...tabParser,
      search: parseAsString,
      solution: parseAsString,
      active: parseAsString,
      status: parseAsString,
      order: parseAsString,
      page: parseAsInteger,
    },
    { history: "push" },
  );
  const change = (next: Tab) =>
    set({ tab: next, search: null, solution: null, active: null, status: null, order: null, page: null });
  return { tab, change };
}
