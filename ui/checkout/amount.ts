// The amount that the buyer chooses on a link without a fixed amount.
import { money } from "../src/format/money";
import type { Link } from "./contract";
import { words } from "./words";

type Bounds = Pick<Link, "amount_min" | "amount_max">;

/** "De R$ 10,00 a R$ 50,00."; undefined without bounds. */
export function boundsText({ amount_min: min, amount_max: max }: Bounds): string | undefined {
  if (min !== null && max !== null) return words.amount.between(money(min), money(max));
  if (min !== null) return words.amount.from(money(min));
  return max === null ? undefined : words.amount.upTo(money(max));
}

export function amountError(amount: number | undefined, bounds: Bounds): string | undefined {
  if (amount === undefined || amount === 0) return words.amount.required;
  const { amount_min: min, amount_max: max } = bounds;
  const low = min !== null && amount < min;
  const high = max !== null && amount > max;
  if (!low && !high) return undefined;
  if (min !== null && max !== null) return words.amount.outside(money(min), money(max));
  return low ? words.amount.tooLow(money(min)) : words.amount.tooHigh(money(max ?? 0));
}
