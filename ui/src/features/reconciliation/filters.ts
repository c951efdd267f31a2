// The filters of the reconciliation's tabs, kept in the address. Tabs that filter by acquirer or period share the
// choice.
import { parseAsString, parseAsStringLiteral } from "nuqs";
import type { Period } from "../../components/DateRange";
import { useListFilters } from "../../components/table/listFilters";
import { parseAsBusinessDate } from "../../components/table/listState";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { settlementsStrings } from "../../strings/pt-BR.settlements";

const words = settlementsStrings.differences;
const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];

export const choices = {
  provider: paymentStrings.payment.providers as Record<
    `${keyof typeof paymentStrings.payment.providers}`,
    string
  >,
  kind: words.kinds,
  state: words.stateChoices,
};

export const TABS = ["differences", "days", "reported", "imports", "rates"] as const;
export type Tab = (typeof TABS)[number];

const parsers = {
  tab: parseAsStringLiteral(TABS).withDefault("differences"),
  provider: parseAsStringLiteral(keysOf(choices.provider)),
  kind: parseAsStringLiteral(keysOf(choices.kind)),
  state: parseAsStringLiteral(keysOf(choices.state)).withDefault("open"),
  start: parseAsBusinessDate,
  end: parseAsBusinessDate,
  search: parseAsString.withDefault(""),
};

export function useReconciliationFilters() {
  const { chosen, change, changeTyped, clear } = useListFilters(parsers);
  const { tab, provider, kind, state, start, end, search } = chosen;
  const period: Period | null = start && end ? { start, end } : null;
  const commonQuery = { ...(provider && { provider }), ...period };
  const anyCommonFilter = provider !== null || period !== null;
  return {
    ...chosen,
    period,
    change,
    changePeriod: (next: Period | null) => change({ start: next?.start ?? null, end: next?.end ?? null }),
    changeSearch: (next: string) => changeTyped({ search: next || null }),
    clear: () => {
      clear();
      // The tab is in the address too, and it stays open.
      change({ tab });
    },
    /** Whether an acquirer or a period is chosen. */
    anyCommonFilter,
    /** Whether any filter of the list of differences is not at its default. By default the open ones are listed. */
    anyDifferenceFilter: anyCommonFilter || kind !== null || state !== "open" || search !== "",
    commonQuery,
    differenceQuery: { ...commonQuery, state, ...(kind && { kind }), ...(search && { search }) },
  };
}

export type ReconciliationFilters = ReturnType<typeof useReconciliationFilters>;
