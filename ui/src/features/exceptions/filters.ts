// The filters of the exceptions queue, kept in the address. By default it shows waiting rows.
import { parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";
import { paymentStrings } from "../../strings/pt-BR.payment";
import { statusStrings } from "../../strings/pt-BR.status";

export const choices = {
  status: { ...statusStrings.exceptionStatus, all: exceptionsStrings.exceptions.all },
  provider: paymentStrings.payment.providers as Record<
    `${keyof typeof paymentStrings.payment.providers}`,
    string
  >,
};

const keysOf = <Table extends object>(table: Table) => Object.keys(table) as (keyof Table & string)[];

const parsers = {
  status: parseAsStringLiteral(keysOf(choices.status)).withDefault("waiting"),
  provider: parseAsStringLiteral(keysOf(choices.provider)),
  // Not a filter: changing a filter returns to the first page.
  page: parseAsInteger,
};

export function useExceptionFilters() {
  const [{ status, provider }, set] = useQueryStates(parsers, { history: "push" });
  return {
    status,
    provider,
    any: status !== "waiting" || provider !== null,
    changeStatus: (next: typeof status | null) => set({ status: next, page: null }),
    changeProvider: (next: typeof provider) => set({ provider: next, page: null }),
    clear: () => set(null),
    query: { status, ...(provider && { provider }) },
  };
}

export type ExceptionFilters = ReturnType<typeof useExceptionFilters>;
