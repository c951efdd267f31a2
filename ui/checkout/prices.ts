// The price of each payment type for the buyer.
import type { Installments, PaymentType, Prices } from "./contract";

/** In the order of the page's choices. */
export const PAYMENT_TYPES: readonly PaymentType[] = ["credit", "pix", "boleto"];

export function offeredTypes(types: readonly string[]): PaymentType[] {
  return PAYMENT_TYPES.filter((type) => types.includes(type));
}

/** The installments of a brand; undefined if the link does not take it, or if there are no prices. */
export function installmentsOf(prices: Prices | null, brand: string): readonly Installments[] | undefined {
  return prices?.credit.find(({ brands }) => brands.includes(brand))?.installments;
}

/** The installments before the brand is known; undefined unless all brands cost the same. */
export function commonInstallments(prices: Prices | null): readonly Installments[] | undefined {
  return prices?.credit.length === 1 ? prices.credit[0]?.installments : undefined;
}

/** The most installments of any brand, for the choice's hint. */
export function installmentsMax(prices: Prices | null): number {
  const counts = prices?.credit.flatMap(({ installments }) => installments.map(({ count }) => count)) ?? [];
  return Math.max(1, ...counts);
}

/** Undefined while there is no price. */
export function totalOf(
  prices: Prices | null,
  type: PaymentType,
  chosen: Installments | undefined,
): number | undefined {
  if (type === "credit") return chosen?.total;
  return prices?.[type] ?? undefined;
}
