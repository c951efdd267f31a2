// The tabs of a balance, kept in the address, and the filters of their lists. Another tab has another list, so it starts
// without filters and in its own order.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { choice } from "../../components/table/filters";
import { balanceStrings } from "../../strings/pt-BR.balance";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import { FILTERS as TRANSFER_FILTERS } from "../withdrawals/filters";

const TABS = ["statement", "transfers", "journal"] as const;
export type Tab = (typeof TABS)[number];

export const accountChoices = balanceStrings.ledgerEvent.accounts;
export type Account = keyof typeof accountChoices;

export const STATEMENT_FILTERS = { period: TRANSFER_FILTERS.period };
export const JOURNAL_FILTERS = {
  account: choice(ledgerStrings.journal.account, ledgerStrings.journal.all, accountChoices),
  period: TRANSFER_FILTERS.period,
};

const parsers = {
  tab: parseAsStringLiteral(TABS).withDefault("statement"),
  account: parseAsString,
  status: parseAsString,
  start: parseAsString,
  end: parseAsString,
  page: parseAsInteger,
  order: parseAsString,
};

export function useBalanceTab() {
  const [{ tab }, set] = useQueryStates(parsers, { history: "push" });
  const change = (next: Tab) =>
    set({ tab: next, account: null, status: null, start: null, end: null, page: null, order: null });
  return { tab, change };
}
