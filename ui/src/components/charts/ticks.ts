// The grid lines of a chart's axis: round amounts that enclose all values and zero.
const INTERVALS_MAX = 5;
const ROUND_STEPS = [1, 2, 5, 10] as const;

/** The smallest of 1, 2, 5, 10, 20, 50, … that is at least `least`. */
function roundStep(least: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  return magnitude * (ROUND_STEPS.find((step) => step * magnitude >= least) ?? 10);
}

/** The ticks for amounts in cents. Steps are whole reais, because the axis shows no cents. */
export function moneyTicks(cents: readonly number[]): number[] {
  const top = Math.max(0, ...cents);
  const bottom = Math.min(0, ...cents);
  let step = roundStep(Math.max((top - bottom) / INTERVALS_MAX, 100));
  let first = Math.floor(bottom / step);
  let last = Math.ceil(top / step);
  // The ends above and below zero are rounded separately, which may add an interval.
  while (last - first > INTERVALS_MAX) {
    step = roundStep(step + 1);
    first = Math.floor(bottom / step);
    last = Math.ceil(top / step);
  }
  if (first === last) last += 1;
  return Array.from({ length: last - first + 1 }, (_, line) => (first + line) * step);
}
