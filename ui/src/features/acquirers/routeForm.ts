// The form of a route: which acquirers are asked to charge a payment type, in their order.
import type { AcquirerRoute, AcquirerSettings } from "../../api/models";

export type Scope = "all" | "company";

export interface RouteValues {
  /**
   * "own": the list of this form. "inherit": for a company the list of all companies, and for all companies the list of
   * the installation.
   */
  choice: "own" | "inherit";
  acquirers: string[];
}

/** The form starts from the list in force. */
export function routeValues({ source, acquirers }: AcquirerRoute, scope: Scope): RouteValues {
  return {
    choice: source === scope ? "own" : "inherit",
    // An acquirer that cannot take the payment type now would be refused.
    acquirers: acquirers.filter(({ usable }) => usable).map(({ provider }) => provider),
  };
}

/** An empty list means that the payment type is not offered. Null withdraws the list. */
export function routeBody(route: AcquirerRoute, business_id: string | null, values: RouteValues) {
  const { solution, payment_type, revision } = route;
  return {
    business_id,
    solution,
    payment_type,
    revision,
    acquirers: values.choice === "own" ? values.acquirers : null,
  };
}

/** The list with one of its entries moved by one place. */
export function moved(list: readonly string[], from: number, by: -1 | 1): string[] {
  const next = [...list];
  const [entry] = next.splice(from, 1);
  if (entry !== undefined) next.splice(from + by, 0, entry);
  return next;
}

/** The configured acquirers that take the payment type and are not on the list. */
export function addable(
  { acquirers }: AcquirerSettings,
  payment_type: string,
  list: readonly string[],
): AcquirerSettings["acquirers"] {
  return acquirers.filter(
    ({ provider, payment_types }) => payment_types.includes(payment_type) && !list.includes(provider),
  );
}
