// What the lists of a balance are narrowed by, kept in the address: which list, the period, the status.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { TransferStatus } from "../../api/models";
import { useTimeZone } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { parseAsPeriodEnd } from "../../components/table/listState";
import { strings } from "../../strings/pt-BR";

export const statusChoices = strings.transferStatus as Record<`${TransferStatus}`, string>;

const TABS = ["statement", "transfers", "journal"] as const;
export type Tab = (typeof TABS)[number];

export const accountChoices = strings.ledgerEvent.accounts;
export type Account = keyof typeof accountChoices;

const parsers = {
  tab: parseAsStringLiteral(TABS).withDefault("statement"),
  account: parseAsStringLiteral(Object.keys(accountChoices) as Account[]),
  status: parseAsStringLiteral(Object.keys(statusChoices) as `${TransferStatus}`[]),
  business: parseAsString,
  start: parseAsPeriodEnd,
  end: parseAsPeriodEnd,
  // Not filters: any change of one starts again at the first page, in the usual order.
  page: parseAsInteger,
  order: parseAsString,
};

export function useBalanceFilters() {
  const zone = useTimeZone();
  const [{ tab, account, status, business, start, end }, set] = useQueryStates(parsers, { history: "push" });
  const period: Period | null = start && end ? { start, end } : null;
  // The list is of the days of the zone that its dates are shown in.
  const range = period ? { ...period, time_zone: zone } : {};
  return {
    tab,
    account,
    status,
    business,
    period,
    range,
    any: account !== null || status !== null || business !== null || period !== null,
    /** The other list begins without what narrowed this one. */
    changeTab: (next: Tab) =>
      set({ tab: next, account: null, status: null, start: null, end: null, page: null, order: null }),
    changeAccount: (next: Account | null) => set({ account: next, page: null }),
    changeStatus: (next: typeof status) => set({ status: next, page: null }),
    changeBusiness: (next: string | null) => set({ business: next, page: null }),
    changePeriod: (next: Period | null) =>
      set({ start: next?.start ?? null, end: next?.end ?? null, page: null }),
    clear: () => set({ account: null, status: null, business: null, start: null, end: null, page: null }),
    query: {
      ...(status && { status: Number(status) }),
      ...range,
    },
  };
}

export type BalanceFilters = ReturnType<typeof useBalanceFilters>;
