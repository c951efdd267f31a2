// Amounts before rounding: cents with fractions, as decimal text from the gateway. Computed with whole numbers of the
// smallest fraction, so that nothing drifts.

const GROUPED = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 0 });

interface Exact {
  /** The number of the smallest fractions, with the sign. */
  units: bigint;
  /** Decimal places after the cent. */
  places: number;
}

function parse(text: string): Exact {
  const [, whole = "", fraction = ""] = /^(-?\d+)(?:\.(\d+))?$/.exec(text) ?? [];
  if (!whole) throw new RangeError(`not a decimal of cents: ${text}`);
  return { units: BigInt(whole + fraction), places: fraction.length };
}

/** "140.65" → "R$ 1,4065": at least two decimals, and no trailing zeros after them. */
export function exactMoney(cents: string): string {
  const { units, places } = parse(cents);
  const digits = String(units < 0n ? -units : units).padStart(places + 3, "0");
  const reais = GROUPED.format(BigInt(digits.slice(0, -places - 2)));
  const decimals = digits.slice(-places - 2);
  return `${units < 0n ? "-" : ""}R$\u00a0${reais},${decimals.slice(0, 2)}${decimals.slice(2).replace(/0+$/, "")}`;
}

export type Rounding =
  | { kind: "exact" }
  /** The amount that rounding to the cent added, in cents with fractions. */
  | { kind: "rounded"; difference: string }
  /** Less than the rounded amount, because the sale had no more left. */
  | { kind: "capped" };

/** How the decimal text of a fee, zero or more, became whole cents. Half a cent is rounded up. */
export function roundingOf(unrounded: string, charged: number): Rounding {
  const { units, places } = parse(unrounded);
  const cent = 10n ** BigInt(places);
  const difference = BigInt(charged) * cent - units;
  if (difference === 0n) return { kind: "exact" };
  if (difference * -2n >= cent) return { kind: "capped" };
  return { kind: "rounded", difference: decimal(difference, places) };
}

function decimal(units: bigint, places: number): string {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, "0");
  const at = digits.length - places;
  return `${units < 0n ? "-" : ""}${digits.slice(0, at)}.${digits.slice(at)}`;
}
