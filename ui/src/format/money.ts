// Money, counts and ratios as Brazilian text. Amounts are integer cents.

const GROUPED = new Intl.NumberFormat("pt-BR", { maximumFractionDigits: 0 });
const COMPACT = new Intl.NumberFormat("pt-BR", { notation: "compact", maximumFractionDigits: 1 });
const PERCENT = new Intl.NumberFormat("pt-BR", {
  style: "percent",
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** 123456 → "R$ 1.234,56", with a no-break space. */
export function money(cents: number): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not an amount of cents: ${cents}`);
  const magnitude = Math.abs(cents);
  const reais = Math.trunc(magnitude / 100);
  const rest = String(magnitude % 100).padStart(2, "0");
  return `${cents < 0 ? "-" : ""}R$\u00a0${GROUPED.format(reais)},${rest}`;
}

/** The label of a chart's axis: "R$ 15 mil". Rounded, so never for an amount that someone is owed. */
export function moneyOnAxis(cents: number): string {
  return `R$\u00a0${COMPACT.format(cents / 100)}`;
}

export function wholeNumber(count: number): string {
  return GROUPED.format(count);
}

export function percent(ratio: number): string {
  return PERCENT.format(ratio);
}

/** The change from `previous` to `current` as a ratio; null if `previous` is zero. */
export function variation(current: number, previous: number): number | null {
  return previous === 0 ? null : (current - previous) / previous;
}
