// The filters of both lists of plans, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useListFilters } from "../../components/table/listFilters";
import { strings } from "../../strings/pt-BR";
import { paymentStrings } from "../../strings/pt-BR.payment";

export const activeChoices = strings.activeStatus as Record<"0" | "1", string>;
export const solutionChoices = paymentStrings.payment.solutions as Record<"1" | "2" | "3" | "4", string>;

const parsers = {
  search: parseAsString.withDefault(""),
  solution: parseAsStringLiteral(["1", "2", "3", "4"] as const),
  active: parseAsStringLiteral(["1", "0"] as const),
};

const TABS = ["vendas", "recebimento", "mudancas"] as const;
const tabParser = { tab: parseAsStringLiteral(TABS).withDefault("vendas") };

export type Tab = (typeof TABS)[number];

export function usePlanFilters() {
  const { chosen, changeTyped, ...filters } = useListFilters(parsers);
  const { search, active } = chosen;
  return {
    ...filters,
    ...chosen,
    changeSearch: (next: string) => changeTyped({ search: next || null }),
    query: {
      ...(search && { search }),
      ...(active && { active: Number(active) }),
    },
  };
}

export type PlanFilters = ReturnType<typeof usePlanFilters>;

/** The open tab. Changing it clears the filters, the order and the page, because each tab has another list. */
export function usePlanTab() {
  const [{ tab }, set] = useQueryStates(
    { ...tabParser, ...parsers, status: parseAsString, order: parseAsString, page: parseAsInteger },
    { history: "push" },
  );
  const change = (next: Tab) =>
    set({ tab: next, search: null, solution: null, active: null, status: null, order: null, page: null });
  return { tab, change };
}
