// The state of the schedule, kept in the address: the view, the period, and the day or unit whose installments are
// open.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { useApi } from "../../api/hooks";
import type { Overview } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { useBusiness } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { parseAsBusinessDate } from "../../components/table/listState";
import { businessToday, monthEnd, monthStart } from "../../format/dates";

const VIEWS = ["calendar", "list", "units"] as const;
export type View = (typeof VIEWS)[number];

const parsers = {
  view: parseAsStringLiteral(VIEWS).withDefault("calendar"),
  start: parseAsBusinessDate,
  end: parseAsBusinessDate,
  // Not filters: another view or period returns to the first page. Another view also returns to the default order.
  page: parseAsInteger,
  order: parseAsString,
};

function monthOf(date: string): Period {
  return { start: monthStart(date), end: monthEnd(date) };
}

/** Today by the platform's business clock, as the home shows it. */
function useToday(): string {
  const business = useBusiness();
  const { data } = useApi("/overview", { query: { business_id: business.id } });
  return todayOf(data, businessNow());
}

/** Today by the overview; until it is read, the business date of the browser's `now`. */
export function todayOf(overview: Pick<Overview, "today"> | undefined, now: Date): string {
  return overview?.today ?? businessToday(now);
}

export function useScheduleFilters() {
  const [{ view, start, end }, set] = useQueryStates(parsers, { history: "push" });
  const chosen = start && end ? { start, end } : null;
  const today = useToday();
  const thisMonth = monthOf(today);
  const period = chosen ?? thisMonth;
  const changePeriod = (next: Period | null) => {
    // The current month is the default, so the address does not name it.
    const isDefault = next?.start === thisMonth.start && next.end === thisMonth.end;
    return set({
      start: isDefault ? null : (next?.start ?? null),
      end: isDefault ? null : (next?.end ?? null),
      page: null,
    });
  };
  return {
    view,
    today,
    /** The calendar shows the whole month in which the period starts. */
    period: view === "calendar" ? monthOf(period.start) : period,
    changePeriod,
    changeMonth: (date: string) => changePeriod(monthOf(date)),
    changeView: (next: View) => set({ view: next, page: null, order: null }),
  };
}

export type ScheduleFilters = ReturnType<typeof useScheduleFilters>;

const openedParsers = {
  day: parseAsBusinessDate,
  provider: parseAsInteger,
  brand: parseAsString,
  type: parseAsString,
  // The page of the installments, next to the page of the list.
  dayPage: parseAsInteger,
  dayOrder: parseAsString,
};

/** A due date, or one receivable unit of it. Without a unit, `provider`, `brand` and `type` are null. */
export interface OpenedDay {
  day: string;
  provider: number | null;
  /** Also null for a unit of PIX or boletos. */
  brand: string | null;
  /** The payment type. */
  type: string | null;
}

export function useOpenedDay() {
  const [{ day, provider, brand, type }, set] = useQueryStates(openedParsers, { history: "push" });
  return {
    opened: day ? { day, provider, brand, type } : undefined,
    open: (next: Partial<OpenedDay>) =>
      set({ provider: null, brand: null, type: null, ...next, dayPage: null, dayOrder: null }),
    close: () => set(null),
  };
}

/** The query of the same screen's address with a day or a unit opened, for links. */
export function searchOfDay({ day, provider, brand, type }: OpenedDay): string {
  const search = new URLSearchParams(window.location.search);
  for (const key of Object.keys(openedParsers)) search.delete(key);
  search.set("day", day);
  if (provider !== null) search.set("provider", String(provider));
  if (brand !== null) search.set("brand", brand);
  if (type !== null) search.set("type", type);
  return `?${search}`;
}
