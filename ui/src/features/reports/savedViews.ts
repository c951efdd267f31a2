// Saved views and the address: the parameters that a view keeps, and the address that opens a view.
import type { ReportView } from "../../api/models";

/** The gateway's names of filters that have another name in the address. */
const IN_ADDRESS: Readonly<Record<string, string>> = { payment_link: "link", business_id: "business" };

/** The gateway's names of the filters on reports' screens. A view that was saved through the API may have others. */
const SCREEN_FILTERS = [
  "group",
  "start",
  "end",
  "solution",
  "paymentType",
  "brand",
  "terminal",
  "payment_link",
  "business_id",
  "status",
] as const;

const PERIOD = ["start", "end"] as const;
/** The query parameters that a view keeps besides its filters. */
const DISPLAY_PARAMETERS = ["rows", "sort", "order"] as const;

const inAddress = (filter: string) => IN_ADDRESS[filter] ?? filter;

export interface KeptState {
  filters: Record<string, string>;
  rows: string | null;
  sort: string | null;
  order: string | null;
}

/** The part of the address that a view keeps. */
export function keptState(search: string): KeptState {
  const address = new URLSearchParams(search);
  const kept = SCREEN_FILTERS.flatMap((filter) => {
    const value = address.get(inAddress(filter));
    return value ? [[filter, value] as const] : [];
  });
  return {
    filters: Object.fromEntries(kept),
    rows: address.get("rows"),
    sort: address.get("sort"),
    order: address.get("order"),
  };
}

export function withoutPeriod({ filters, ...state }: KeptState): KeptState {
  const { start: _start, end: _end, ...rest } = filters;
  return { ...state, filters: rest };
}

/** The filters of a view that its screen cannot apply, with the gateway's reason; empty if it gives none. */
export function leftOut(view: Pick<ReportView, "filters" | "outdated">): Record<string, string> {
  const unknown = Object.keys(view.filters).filter(
    (filter) => !SCREEN_FILTERS.some((known) => known === filter),
  );
  return { ...Object.fromEntries(unknown.map((filter) => [filter, ""])), ...view.outdated };
}

/** The query of a view's first page, without the filters that are left out. Other parameters stay, such as a tab. */
export function addressOf(view: ReportView, search: string): string {
  const address = new URLSearchParams(search);
  for (const name of [...SCREEN_FILTERS.map(inAddress), ...DISPLAY_PARAMETERS, "page"]) address.delete(name);
  const without = leftOut(view);
  // With only one of its ends, the view would show another period. So both ends are left out.
  const dropsPeriod = PERIOD.some((end) => end in without);
  for (const [filter, value] of Object.entries(view.filters)) {
    const dropped = filter in without || (dropsPeriod && PERIOD.some((end) => end === filter));
    if (!dropped) address.set(inAddress(filter), value);
  }
  for (const name of DISPLAY_PARAMETERS) if (view[name]) address.set(name, view[name]);
  return address.toString();
}

/** Whether the address is one that opens the view, on any of its pages. */
export function isOpen(view: ReportView, search: string): boolean {
  const sorted = (text: string) => [...new URLSearchParams(text)].map(String).sort().join("&");
  const here = new URLSearchParams(search);
  here.delete("page");
  here.delete("perPage");
  return sorted(here.toString()) === sorted(addressOf(view, here.toString()));
}
