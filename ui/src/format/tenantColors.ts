// The style variables of a tenant's two colors. The platform's own are fixed (app/theme.ts, app/global.css). For
// others, the colors on or next to the brand color are found by contrast.
import {
  darker,
  GRAPHIC_RATIO,
  type Hex,
  isColor,
  lighter,
  luminance,
  mix,
  readableOn,
  TEXT_RATIO,
  textColorOn,
} from "./color";

export const OWN_BRAND = "#36be54";
export const OWN_HIGHLIGHT = "#29ff00";

type Scale = readonly [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex];

export interface TenantColors {
  /** The ten shades of the theme; the sixth is the brand color. */
  scale: Scale;
  /** The color of text on the brand color. */
  text: Hex;
  /** The variables of the stylesheet that a tenant's colors replace, in light and in dark. */
  light: Readonly<Record<string, Hex>>;
  dark: Readonly<Record<string, Hex>>;
}

/** The lightest and the darkest color of the page, its surfaces and hovered rows (app/global.css). */
const LIGHT_BACKGROUNDS = ["#ffffff", "#f3f6f4"];
const DARK_BACKGROUNDS = ["#1b2420", "#0c110e"];
const DARK_SURFACE = "#151c18";

/** The contrast of white on a colored card, high enough for the paler text on it. */
const CARD_RATIO = 6.5;

/** Undefined for the platform's own colors. */
export function tenantColorsOf(theme: string, highlight: string): TenantColors | undefined {
  const brand = (isColor(theme) ? theme : OWN_BRAND).toLowerCase();
  const accent = (isColor(highlight) ? highlight : OWN_HIGHLIGHT).toLowerCase();
  if (brand === OWN_BRAND && accent === OWN_HIGHLIGHT) return undefined;
  const text = textColorOn(brand);
  const scale = scaleOf(brand, text);
  const both = { "--brand": brand, "--on-brand": text, "--logo-text": text, "--highlight": accent };
  const card = readableOn(["#ffffff"], brand, CARD_RATIO);
  const promo = {
    "--card-1": darker(card, 0.5),
    "--card-2": darker(card, 0.2),
    "--card-3": card,
    "--promo-1": darker(brand, 0.9),
    "--promo-2": darker(brand, 0.8),
    "--promo-3": darker(brand, 0.72),
    "--promo-text": scale[1],
  };
  const softLight = lighter(brand, 0.84);
  const softDark = mix(DARK_SURFACE, brand, 0.25);
  const brandOnDark = readableOn([...DARK_BACKGROUNDS, softDark], brand, TEXT_RATIO);
  const brandOnLight = readableOn([...LIGHT_BACKGROUNDS, softLight], brand, TEXT_RATIO);
  const highlightOnDark = readableOn(DARK_BACKGROUNDS, accent, GRAPHIC_RATIO);
  // The highlight is too bright for large shapes.
  const chartOnDark = readableOn(DARK_BACKGROUNDS, brand, GRAPHIC_RATIO);
  return {
    scale,
    text,
    light: {
      ...both,
      ...promo,
      "--brand-soft": softLight,
      "--brand-text": brandOnLight,
      "--focus": brandOnLight,
      "--chart-line": readableOn(LIGHT_BACKGROUNDS, brand, GRAPHIC_RATIO),
      "--chart-fill": brand,
      "--mantine-color-anchor": brandOnLight,
    },
    dark: {
      ...both,
      ...promo,
      "--brand-soft": softDark,
      "--brand-text": brandOnDark,
      "--focus": highlightOnDark,
      "--chart-line": chartOnDark,
      "--chart-fill": chartOnDark,
      "--mantine-color-anchor": brandOnDark,
    },
  };
}

function scaleOf(brand: Hex, text: Hex): Scale {
  const light = [0.9, 0.79, 0.58, 0.36, 0.17].map((share) => lighter(brand, share));
  const dark = [0.28, 0.4, 0.55].map((share) => darker(brand, share));
  // A hovered button moves away from its text's color, which keeps it readable.
  const hover = luminance(text) < 0.5 ? lighter(brand, 0.12) : darker(brand, 0.12);
  return [...light, brand, hover, ...dark] as unknown as Scale;
}
