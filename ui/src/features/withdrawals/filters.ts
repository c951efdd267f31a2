// The filters of a list of transfers, kept in the address.
import { parseAsInteger, parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import type { TransferStatus } from "../../api/models";
import { useTimeZone } from "../../api/session";
import type { Period } from "../../components/DateRange";
import { parseAsPeriodBound } from "../../components/table/listState";
import { statusStrings } from "../../strings/pt-BR.status";

export const statusChoices = statusStrings.transferStatus as Record<`${TransferStatus}`, string>;

const parsers = {
  status: parseAsStringLiteral(Object.keys(statusChoices) as `${TransferStatus}`[]),
  business: parseAsString,
  // Withdrawals to a destination that changed lately. Only the queue has this filter.
  destination: parseAsStringLiteral(["changed"]),
  start: parseAsPeriodBound,
  end: parseAsPeriodBound,
  // Not filters: changing a filter returns to the first page. `restart` also clears the order.
  page: parseAsInteger,
  order: parseAsString,
};

const NONE = { status: null, business: null, destination: null, start: null, end: null, page: null };

export function useTransferFilters() {
  const zone = useTimeZone();
  const [{ status, business, destination, start, end }, set] = useQueryStates(parsers, { history: "push" });
  const period: Period | null = start && end ? { start, end } : null;
  // The days of the period are those of the zone in which dates are shown.
  const range = period ? { ...period, time_zone: zone } : {};
  return {
    status,
    business,
    destination,
    period,
    range,
    any: status !== null || business !== null || destination !== null || period !== null,
    changeStatus: (next: typeof status) => set({ status: next, page: null }),
    changeBusiness: (next: string | null) => set({ business: next, page: null }),
    changeDestination: (next: typeof destination) => set({ destination: next, page: null }),
    changePeriod: (next: Period | null) =>
      set({ start: next?.start ?? null, end: next?.end ?? null, page: null }),
    firstPage: () => set({ page: null }),
    clear: (): Promise<unknown> => set(NONE),
    /** Clears the filters and the order. */
    restart: () => set({ ...NONE, order: null }),
    /** The gateway's query, without the company and the destination: each list adds those that it has. */
    query: {
      ...(status && { status: Number(status) }),
      ...range,
    },
  };
}

export type TransferFilters = ReturnType<typeof useTransferFilters>;
