// The filters of both lists of plans, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { strings } from "../../strings/pt-BR";

export const activeChoices = strings.activeStatus as Record<"0" | "1", string>;
export const solutionChoices = strings.payment.solutions as Record<"1" | "2" | "3" | "4", string>;

const parsers = {
  search: parseAsString.withDefault(""),
  solution: parseAsStringLiteral(["1", "2", "3", "4"] as const),
  active: parseAsStringLiteral(["1", "0"] as const),
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

const TABS = ["vendas", "recebimento", "mudancas"] as const;
const tabParser = { tab: parseAsStringLiteral(TABS).withDefault("vendas") };

export type Tab = (typeof TABS)[number];

export function usePlanFilters() {
  const [{ search, solution, active }, set] = useQueryStates(parsers, { history: "push" });
  return {
    search,
    solution,
    active,
    any: search !== "" || solution !== null || active !== null,
    changeSearch: (next: string) => set({ search: next || null, page: null }, { history: "replace" }),
    change: (next: { solution?: typeof solution; active?: typeof active }) => set({ ...next, page: null }),
    clear: () => set(null),
    query: {
      ...(search && { search }),
      ...(active && { active: Number(active) }),
    },
  };
}

export type PlanFilters = ReturnType<typeof usePlanFilters>;

/** The other list has other rows, so its page and its filters start anew. */
export function usePlanTab() {
  const [{ tab }, set] = useQueryStates(
    { ...tabParser, ...parsers, status: parseAsString, order: parseAsString },
    { history: "push" },
  );
  const change = (next: Tab) =>
    set({ tab: next, search: null, solution: null, active: null, status: null, order: null, page: null });
  return { tab, change };
}
