// The bounds of a number that is counted up and down.

export interface Bounds {
  min?: number | undefined;
  max?: number | undefined;
}

/** A number out of its bounds, or none at all, becomes the lowest one, or 0 where there is no lowest. */
export function withinBounds(value: number, { min, max }: Bounds): number {
  const fits = Number.isFinite(value) && value >= (min ?? value) && value <= (max ?? value);
  return fits ? value : (min ?? 0);
}
