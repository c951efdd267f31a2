// The filters of a list, kept in the address next to its page. A changed filter returns to the first page.
import { parseAsInteger, type UseQueryStatesKeysMap, useQueryStates, type Values } from "nuqs";
import { useMemo } from "react";

/** The filter that chooses the sort column. It restricts nothing. */
const SORT = "sort";

type Changes<Parsers extends UseQueryStatesKeysMap> = {
  [Key in keyof Parsers]?: Values<Parsers>[Key] | null;
};

export interface ListFilters<Parsers extends UseQueryStatesKeysMap> {
  chosen: Values<Parsers>;
  /** Whether a filter restricts the list. */
  any: boolean;
  change: (next: Changes<Parsers>) => void;
  /** For typed texts: replaces the history entry, so that going back does not undo single letters. */
  changeTyped: (next: Changes<Parsers>) => void;
  /** Clears all filters, and keeps the sort column. */
  clear: () => void;
}

export function useListFilters<Parsers extends UseQueryStatesKeysMap>(
  parsers: Parsers,
): ListFilters<Parsers> {
  const inAddress = useMemo(() => ({ ...parsers, page: parseAsInteger }) as UseQueryStatesKeysMap, [parsers]);
  const [{ page: _, ...values }, set] = useQueryStates(inAddress, { history: "push" });
  const restricts = ([key, value]: [string, unknown]) =>
    key !== SORT && value !== null && value !== inAddress[key]?.defaultValue;
  const cleared = Object.fromEntries(
    Object.keys(inAddress)
      .filter((key) => key !== SORT)
      .map((key) => [key, null]),
  );
  return {
    // TypeScript cannot tell the page from the filters.
    chosen: values as unknown as Values<Parsers>,
    any: Object.entries(values).some(restricts),
    change: (next) => void set({ ...next, page: null }),
    changeTyped: (next) => void set({ ...next, page: null }, { history: "replace" }),
    clear: () => void set(cleared),
  };
}
