// Sums over the schedule in whole cents, and the pages of its days. One call returns all days of a period, so the
// browser cuts the pages.
import type { PageMeta, ReceivablesDay } from "../../api/models";
import type { ListState } from "../../components/table/listState";

/** The expected amount of a day, a unit or a period, and the parts already paid. */
export type DueAmounts = Pick<ReceivablesDay, "expected" | "settled" | "accelerated">;

const NOTHING: ReceivablesSum = { expected: 0, settled: 0, accelerated: 0, count: 0 };

export type ReceivablesSum = Omit<ReceivablesDay, "due_date">;

export function sumOf(days: readonly ReceivablesSum[]): ReceivablesSum {
  return days.reduce(
    (sum, day) => ({
      expected: sum.expected + day.expected,
      settled: sum.settled + day.settled,
      accelerated: sum.accelerated + day.accelerated,
      count: sum.count + day.count,
    }),
    NOTHING,
  );
}

/** The amounts of a unit, found in the first page of its day's units; undefined if it may be on another page. */
export function unitAmounts<Unit extends DueAmounts>(
  { data, meta }: { data: readonly Unit[]; meta: Pick<PageMeta, "total_pages"> },
  isWanted: (unit: Unit) => boolean,
): DueAmounts | undefined {
  return data.find(isWanted) ?? (meta.total_pages > 1 ? undefined : NOTHING_DUE);
}

export const NOTHING_DUE: DueAmounts = { expected: 0, settled: 0, accelerated: 0 };

/** The amount still to be paid. */
export function scheduledOf({ expected, settled, accelerated }: DueAmounts): number {
  return expected - settled - accelerated;
}

export type DayState = "scheduled" | "partlySettled" | "settled" | "accelerated";

export function stateOf(amounts: DueAmounts): DayState {
  if (scheduledOf(amounts) > 0) return amounts.settled > 0 ? "partlySettled" : "scheduled";
  // Nothing is open. The day counts as settled if anything of it was settled, or if it is empty. It counts as
  // accelerated only if all of it was.
  return amounts.settled > 0 || amounts.accelerated === 0 ? "settled" : "accelerated";
}

interface DaysPage {
  data: ReceivablesDay[];
  meta: PageMeta;
}

/** One page of the days in the list's order; a page after the last one returns the last. */
export function pageOf(
  days: readonly ReceivablesDay[],
  { page, perPage, order }: Pick<ListState, "page" | "perPage" | "order">,
): DaysPage {
  const sorted = days.toSorted((one, other) => one.due_date.localeCompare(other.due_date));
  if (order === "desc") sorted.reverse();
  const total_pages = Math.ceil(days.length / perPage);
  const shown = Math.min(page, Math.max(1, total_pages));
  return {
    data: sorted.slice((shown - 1) * perPage, shown * perPage),
    meta: { page: shown, per_page: perPage, total: days.length, total_pages },
  };
}
