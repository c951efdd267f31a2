// The lines of a chart's axis: round amounts that enclose what is drawn, zero among them.
const INTERVALS_MAX = 5;
const ROUND_STEPS = [1, 2, 5, 10] as const;

/** The smallest of 1, 2, 5, 10, 20, 50, … that is not below `least`. */
function roundStep(least: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(least));
  return magnitude * (ROUND_STEPS.find((step) => step * magnitude >= least) ?? 10);
}

/** Of amounts in cents; steps are whole reais, as the axis shows no cents. */
export function moneyTicks(cents: readonly number[]): number[] {
  const top = Math.max(0, ...cents);
  const bottom = Math.min(0, ...cents);
  let step = roundStep(Math.max((top - bottom) / INTERVALS_MAX, 100));
  let first = Math.floor(bottom / step);
  let last = Math.ceil(top / step);
  // Below zero and above it each round up to a line of their own.
  while (last - first > INTERVALS_MAX) {
    step = roundStep(step + 1);
    first = Math.floor(bottom / step);
    last = Math.ceil(top / step);
  }
  if (first === last) last += 1;
  return Array.from({ length: last - first + 1 }, (_, line) => (first + line) * step);
}
