// Page, page size and order of a list, kept in the address next to its filters. A reload or the back button returns to
// the same page. Default values stay out of the address.
import { createParser, parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";

export const PER_PAGE_CHOICES = [10, 20, 50, 100] as const;
export const PER_PAGE_DEFAULT = 20;
/** The gateway's limits. */
const PAGE_MAX = 1_000_000;
const PER_PAGE_MAX = 100;

const inRange = (min: number, max: number) =>
  createParser({
    parse: (text) => {
      const number = parseAsInteger.parse(text);
      return number !== null && number >= min && number <= max ? number : null;
    },
    serialize: String,
  });

/** An ISO date that exists, or null. */
function existingDate(text: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text) ? text : null;
}

/** An ISO date that exists; any other text in the address is ignored. */
export const parseAsBusinessDate = createParser({ parse: existingDate, serialize: String });

/** The start or the end of a period: a date that exists, or an instant in UTC with up to six decimals. */
export const parseAsPeriodBound = createParser({
  parse: (text) => {
    const [, date] = /^(\d{4}-\d{2}-\d{2})T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?Z$/.exec(text) ?? [];
    return existingDate(date ?? text) && text;
  },
  serialize: String,
});

export type Order = "asc" | "desc";

const parsersWith = (order: Order) => ({
  page: inRange(1, PAGE_MAX).withDefault(1),
  perPage: inRange(1, PER_PAGE_MAX).withDefault(PER_PAGE_DEFAULT),
  order: parseAsStringLiteral(["asc", "desc"] as const).withDefault(order),
});
/** One set of parsers for each default order. They are built once, so that the parsers stay the same between renders. */
const PARSERS = { asc: parsersWith("asc"), desc: parsersWith("desc") };

export interface ListState {
  page: number;
  perPage: number;
  order: Order;
  setPage: (page: number) => void;
  setPerPage: (perPage: number) => void;
  setOrder: (order: Order) => void;
}

/** The address has other keys if the screen has another list too. They must not change between renders. */
export function useListState(
  firstOrder: Order = "desc",
  urlKeys: Partial<Record<"page" | "perPage" | "order", string>> = {},
): ListState {
  const [{ page, perPage, order }, set] = useQueryStates(PARSERS[firstOrder], { history: "push", urlKeys });
  return {
    page,
    perPage,
    order,
    setPage: (next) => set({ page: next }),
    setPerPage: (next) => set({ perPage: next, page: null }),
    setOrder: (next) => set({ order: next, page: null }),
  };
}
