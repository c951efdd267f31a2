// The bounds of a number with increase and decrease buttons.

export interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
}

/** A number out of its bounds, or an empty one, becomes the minimum, or 0 without a minimum. */
export function withinBounds(value: number, { min, max }: Bounds): number {
  const inBounds = Number.isFinite(value) && value >= (min ?? value) && value <= (max ?? value);
  return inBounds ? value : (min ?? 0);
}
