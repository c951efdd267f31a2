import { expect, it } from "vitest";
import { withinBounds } from "./spinner";

it.each([
  [5, { min: 1, max: 9 }, 5],
  [1, { min: 1, max: 9 }, 1],
  [9, { min: 1, max: 9 }, 9],
  [10, { min: 1, max: 9 }, 1],
  [0, { min: 1, max: 9 }, 1],
  [10, { max: 9 }, 0],
  [-3, {}, -3],
  [Number.NaN, { min: 2 }, 2],
  [Number.NaN, {}, 0],
])("%d within %o is %d", (value, bounds, kept) => expect(withinBounds(value, bounds)).toBe(kept));
