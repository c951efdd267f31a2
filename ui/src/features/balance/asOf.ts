// The instant at which staff look at a company's balance, and by which of the two times, kept in the address.
// Without an instant they look at now.
import { createParser, parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";

/** Recorded is when the ledger learned of it; effective is when it happened outside. */
export const AXES = ["recorded", "effective"] as const;
export type Axis = (typeof AXES)[number];

/** An instant in UTC that exists; anything else in the address is ignored. */
export const parseAsInstant = createParser({
  parse: (text) => {
    const [, seconds] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?Z$/.exec(text) ?? [];
    const date = new Date(text);
    // 30 February would be taken for a day of March.
    const exists = seconds && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
    return exists ? text : null;
  },
  serialize: String,
});

const parsers = {
  at: parseAsInstant,
  axis: parseAsStringLiteral(AXES).withDefault("recorded"),
  // Another instant has other lines: they begin at their first page.
  page: parseAsInteger,
};

export function useAsOf() {
  const [{ at, axis }, set] = useQueryStates(parsers, { history: "push" });
  return {
    at,
    axis,
    /** What the lists run by: of now there is one order only. */
    shownAxis: at ? axis : ("effective" as const),
    /** Empty for now, so that what is read then is always the newest. */
    query: at ? { as_of: at, axis } : {},
    show: (instant: string, by: Axis) => set({ at: instant, axis: by, page: null }),
    back: () => set(null),
  };
}

export type AsOf = ReturnType<typeof useAsOf>;
