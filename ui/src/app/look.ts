// The variables of a tenant's two colors. The platform's own look is fixed (app/theme.ts, app/global.css). For any
// other, colors on or next to the brand color are found by contrast.
import {
  darker,
  type Hex,
  inkOn,
  isColor,
  lighter,
  luminance,
  mix,
  readableOn,
  SIGN_RATIO,
  TEXT_RATIO,
} from "../format/color";

export const OWN_BRAND = "#36be54";
export const OWN_HIGHLIGHT = "#29ff00";

type Scale = readonly [Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex, Hex];

export interface Look {
  /** From nearly white to nearly black; the sixth is the brand color. */
  scale: Scale;
  /** The color of text on the brand color. */
  ink: Hex;
  /** The variables of the stylesheet that a tenant's look replaces, in light and in dark. */
  light: Readonly<Record<string, Hex>>;
  dark: Readonly<Record<string, Hex>>;
}

/** The lightest and the darkest ground of text in global.css and app/theme.ts. */
const LIGHT_GROUNDS = ["#ffffff", "#f3f6f4"];
const DARK_GROUNDS = ["#1b2420", "#0c110e"];
const DARK_SURFACE = "#151c18";

/** The contrast of white on a colored card, high enough for the paler text on it. */
const CARD_RATIO = 6.5;

/** The look of a tenant; undefined for the platform's own. */
export function lookOf(theme: string, highlight: string): Look | undefined {
  const brand = (isColor(theme) ? theme : OWN_BRAND).toLowerCase();
  const accent = (isColor(highlight) ? highlight : OWN_HIGHLIGHT).toLowerCase();
  if (brand === OWN_BRAND && accent === OWN_HIGHLIGHT) return undefined;
  const ink = inkOn(brand);
  const scale = scaleOf(brand, ink);
  const both = { "--brand": brand, "--on-brand": ink, "--sign-ink": ink, "--highlight": accent };
  const card = readableOn(["#ffffff"], brand, CARD_RATIO);
  const pitch = {
    "--card-1": darker(card, 0.5),
    "--card-2": darker(card, 0.2),
    "--card-3": card,
    "--pitch-1": darker(brand, 0.9),
    "--pitch-2": darker(brand, 0.8),
    "--pitch-3": darker(brand, 0.72),
    "--pitch-ink": scale[1],
  };
  const softLight = lighter(brand, 0.84);
  const softDark = mix(DARK_SURFACE, brand, 0.25);
  const onDark = readableOn([...DARK_GROUNDS, softDark], brand, TEXT_RATIO);
  const onLight = readableOn([...LIGHT_GROUNDS, softLight], brand, TEXT_RATIO);
  const shining = readableOn(DARK_GROUNDS, accent, SIGN_RATIO);
  return {
    scale,
    ink,
    light: {
      ...both,
      ...pitch,
      "--brand-soft": softLight,
      "--brand-ink": onLight,
      "--focus": onLight,
      "--chart-line": readableOn(LIGHT_GROUNDS, brand, SIGN_RATIO),
      "--chart-fill": brand,
      "--mantine-color-anchor": onLight,
    },
    dark: {
      ...both,
      ...pitch,
      "--brand-soft": softDark,
      "--brand-ink": onDark,
      "--focus": shining,
      "--chart-line": shining,
      "--chart-fill": shining,
      "--mantine-color-anchor": onDark,
    },
  };
}

function scaleOf(brand: Hex, ink: Hex): Scale {
  const light = [0.9, 0.79, 0.58, 0.36, 0.17].map((share) => lighter(brand, share));
  const dark = [0.28, 0.4, 0.55].map((share) => darker(brand, share));
  // A hovered button moves away from its text's color, which keeps it readable.
  const hover = luminance(ink) < 0.5 ? lighter(brand, 0.12) : darker(brand, 0.12);
  return [...light, brand, hover, ...dark] as unknown as Scale;
}
