// The chosen list of a balance and its filters, kept in the address.
import { parseAsStringLiteral, useQueryStates } from "nuqs";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { useTransferFilters } from "../withdrawals/filters";

const TABS = ["statement", "transfers", "journal"] as const;
export type Tab = (typeof TABS)[number];

export const accountChoices = balanceStrings.ledgerEvent.accounts;
export type Account = keyof typeof accountChoices;

const parsers = {
  tab: parseAsStringLiteral(TABS).withDefault("statement"),
  account: parseAsStringLiteral(Object.keys(accountChoices) as Account[]),
};

export function useBalanceFilters() {
  const transfers = useTransferFilters();
  const [{ tab, account }, set] = useQueryStates(parsers, { history: "push" });
  return {
    ...transfers,
    tab,
    account,
    any: transfers.any || account !== null,
    /** Clears the filters and the sort order, because each tab has another list. */
    changeTab: (next: Tab) => Promise.all([transfers.restart(), set({ tab: next, account: null })]),
    changeAccount: (next: Account | null) => Promise.all([transfers.firstPage(), set({ account: next })]),
    clear: () => Promise.all([transfers.clear(), set({ account: null })]),
  };
}

export type BalanceFilters = ReturnType<typeof useBalanceFilters>;
