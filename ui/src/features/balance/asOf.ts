// The instant of a past balance and its axis of time, kept in the address. Without an instant, the balance is current.
import { createParser, parseAsInteger, parseAsStringLiteral, useQueryStates } from "nuqs";

/** Recorded: when the ledger learned of an event. Effective: when it happened. */
export const AXES = ["recorded", "effective"] as const;
export type Axis = (typeof AXES)[number];

/** An instant in UTC that exists; any other text in the address is ignored. */
export const parseAsInstant = createParser({
  parse: (text) => {
    const [, seconds] = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})(?:\.\d{1,6})?Z$/.exec(text) ?? [];
    const date = new Date(text);
    // JavaScript would read 30 February as a day of March.
    const exists = seconds && !Number.isNaN(date.getTime()) && date.toISOString().startsWith(seconds);
    return exists ? text : null;
  },
  serialize: String,
});

const parsers = {
  at: parseAsInstant,
  axis: parseAsStringLiteral(AXES).withDefault("recorded"),
  // Another instant has other lines, so the list returns to its first page.
  page: parseAsInteger,
};

export function useAsOf() {
  const [{ at, axis }, set] = useQueryStates(parsers, { history: "push" });
  return {
    at,
    axis,
    /** The axis of the lists; the current balance has only one. */
    shownAxis: at ? axis : ("effective" as const),
    /** Empty for the current balance: an instant would leave out later lines. */
    query: at ? { as_of: at, axis } : {},
    show: (instant: string, by: Axis) => set({ at: instant, axis: by, page: null }),
    back: () => set(null),
  };
}

export type AsOf = ReturnType<typeof useAsOf>;
