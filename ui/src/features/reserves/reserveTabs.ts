// The open tab of the page of a reserve and the filters of its installments, kept in the address.
import { parseAsStringLiteral, useQueryState } from "nuqs";

const TABS = ["calendar", "installments"] as const;
export type ReserveTab = (typeof TABS)[number];

export const useReserveTab = () =>
  useQueryState("tab", parseAsStringLiteral(TABS).withDefault("calendar").withOptions({ history: "push" }));

/** The query of the same page with the installments of a day, for links. */
export function searchOfDay(day: string, before = window.location.search): string {
  const search = new URLSearchParams(before);
  for (const key of ["state", "page", "order"]) search.delete(key);
  search.set("tab", "installments" satisfies ReserveTab);
  search.set("release", day);
  return `?${search}`;
}
