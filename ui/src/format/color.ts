// Colors as numbers: the contrast of two by WCAG 2.2, and a color changed until its contrast suffices.
// https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio

export type Hex = string;
type Channels = readonly [red: number, green: number, blue: number];

/** The minimum contrast of text with its background (level AA). */
export const TEXT_RATIO = 4.5;
/** The minimum contrast of a line, a focus ring or another graphic. */
export const GRAPHIC_RATIO = 3;

const WHITE: Channels = [255, 255, 255];
const BLACK: Channels = [0, 0, 0];

export const isColor = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text);

function channels(hex: Hex): Channels {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

const hexOf = (rgb: Channels): Hex =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, "0")).join("")}`;

/** `share` of `other` in `color`, from 0 to 1. */
export function mix(color: Hex, other: Hex, share: number): Hex {
  const [from, to] = [channels(color), channels(other)];
  const at = (i: 0 | 1 | 2) => from[i] + (to[i] - from[i]) * share;
  return hexOf([at(0), at(1), at(2)]);
}

export const lighter = (color: Hex, share: number): Hex => mix(color, hexOf(WHITE), share);
export const darker = (color: Hex, share: number): Hex => mix(color, hexOf(BLACK), share);

export function luminance(hex: Hex): number {
  const [red, green, blue] = channels(hex).map((channel) => {
    const part = channel / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

export function contrast(one: Hex, other: Hex): number {
  const [light, dark] = [luminance(one), luminance(other)].toSorted((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** The color of dark text on a colored background. */
export const DARK_TEXT = "#0c1a12";

/** The color of text on `background`: DARK_TEXT if it is readable, else white, else black. */
export function textColorOn(background: Hex): Hex {
  if (contrast(DARK_TEXT, background) >= TEXT_RATIO) return DARK_TEXT;
  return contrast(hexOf(WHITE), background) >= TEXT_RATIO ? hexOf(WHITE) : hexOf(BLACK);
}

const STEPS = 50;
/** Black and white have the same contrast with a background of this luminance: (0.18 + 0.05)² ≈ 1.05 × 0.05. */
const MIDDLE_LUMINANCE = 0.18;

/**
 * `color`, darkened if all backgrounds are light, else lightened, until its contrast with each of them is at least
 * `ratio`. Black or white if no step suffices.
 */
export function readableOn(backgrounds: readonly Hex[], color: Hex, ratio: number): Hex {
  const onLight = backgrounds.every((background) => luminance(background) > MIDDLE_LUMINANCE);
  for (let step = 0; step < STEPS; step += 1) {
    const tried = (onLight ? darker : lighter)(color, step / STEPS);
    if (backgrounds.every((background) => contrast(tried, background) >= ratio)) return tried;
  }
  return onLight ? hexOf(BLACK) : hexOf(WHITE);
}
