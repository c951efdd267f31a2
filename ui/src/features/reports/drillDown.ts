// The list of sales behind a figure, as an address.
import { BUSINESS_ZONE } from "../../format/dates";
import type { Span } from "../../format/parts";
import { FIGURES, type FigureKey } from "./figures";

/** The period and the filters that restrict the sales, under their names in the address of a list of sales. */
export interface Scope extends Span {
  solution?: string | null | undefined;
  paymentType?: string | null | undefined;
  brand?: string | null | undefined;
  terminal?: string | null | undefined;
  link?: string | null | undefined;
  business?: string | null | undefined;
}

/** Undefined if the figure has no list of sales. */
export function salesBehind(figure: FigureKey, scope: Scope): string | undefined {
  const { behind } = FIGURES[figure];
  if (!behind) return undefined;
  const { start, end, ...filters } = scope;
  const search = new URLSearchParams({ start, end, by: behind.by, time_zone: BUSINESS_ZONE });
  if (behind.status) search.set("status", behind.status);
  for (const [key, value] of Object.entries(filters)) if (value) search.set(key, value);
  return `/vendas?${search}`;
}
