// The theme as values: colors, type, corners, and the defaults of Mantine's components. Rules that need a selector are
// in the style sheets.
import {
  type CSSVariablesResolver,
  createTheme,
  localStorageColorSchemeManager,
  type MantineThemeOverride,
  mergeThemeOverrides,
} from "@mantine/core";
import { DARK_TEXT, luminance } from "../format/color";
import type { TenantColors } from "../format/tenantColors";
import { strings } from "../strings/pt-BR";

/** public/theme.js reads the same key before the first paint. */
const THEME_KEY = "razao-theme";

export const colorSchemeManager = localStorageColorSchemeManager({ key: THEME_KEY });

/** The menu of a select takes the available height, within bounds. */
const MENU_HEIGHT = "clamp(140px, var(--menu-room, 300px), 300px)";
/** A menu of actions or columns is shown whole if there is room; else it scrolls. */
const ACTIONS_HEIGHT = "max(140px, var(--menu-room, 100vh))";
const MENU_PADDING_PX = 10;

function setMenuRoom({ availableHeight, elements }: { availableHeight: number; elements: MenuElements }) {
  elements.floating.style.setProperty("--menu-room", `${availableHeight - MENU_PADDING_PX}px`);
}

interface MenuElements {
  floating: HTMLElement;
}

export const theme = createTheme({
  primaryColor: "brand",
  primaryShade: { light: 5, dark: 5 },
  // White on #36BE54 is only 2.4:1; autoContrast puts dark text on it.
  autoContrast: true,
  luminanceThreshold: 0.3,
  black: DARK_TEXT,
  colors: {
    brand: [
      "#eaf8ed",
      "#d3f1da",
      "#a9e4b6",
      "#7cd690",
      "#55c96f",
      "#36be54",
      "#2aa345",
      "#218a39",
      "#1b7e33",
      "#0f5a22",
    ],
    dark: [
      "#e6ede8",
      "#bcc8c0",
      "#9fada4",
      "#738078",
      "#36423b",
      "#28332d",
      "#18201c",
      "#111714",
      "#0c110e",
      "#080c0a",
    ],
  },
  fontFamily: '"Inter Variable", Inter, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  headings: { fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Menu: {
      defaultProps: {
        withInitialFocusPlaceholder: false,
        shadow: "md",
        middlewares: { size: { apply: setMenuRoom } },
      },
      styles: { dropdown: { maxHeight: ACTIONS_HEIGHT, overflowY: "auto" } },
    },
    Select: {
      defaultProps: {
        maxDropdownHeight: MENU_HEIGHT,
        comboboxProps: { middlewares: { size: { apply: setMenuRoom } } },
        checkIconPosition: "right",
        // Choosing the chosen option again keeps it. A select that can be empty has a button that clears it.
        allowDeselect: false,
        // A form that opens with a select would otherwise hide its other fields and its buttons behind the list.
        openOnFocus: false,
        nothingFoundMessage: strings.list.noOptions,
      },
    },
    Popover: { defaultProps: { shadow: "md" } },
  },
});

/** Moves the threshold just beyond the luminance of the brand color. */
const THRESHOLD_MARGIN = 0.001;

/** The theme with a tenant's colors. */
export function themeOf(tenantColors: TenantColors | undefined): MantineThemeOverride {
  if (!tenantColors) return theme;
  const hasDarkText = luminance(tenantColors.text) < 0.5;
  return mergeThemeOverrides(theme, {
    colors: { brand: tenantColors.scale },
    // Mantine chooses the text color by luminance alone; this makes it choose `tenantColors.text` on the brand color.
    luminanceThreshold:
      luminance(tenantColors.scale[5]) + (hasDarkText ? -THRESHOLD_MARGIN : THRESHOLD_MARGIN),
    black: hasDarkText ? tenantColors.text : DARK_TEXT,
  });
}

export const cssVariablesOf =
  (tenantColors: TenantColors | undefined): CSSVariablesResolver =>
  () => ({
    variables: {},
    light: { ...OWN_VARIABLES.light, ...tenantColors?.light },
    dark: { ...OWN_VARIABLES.dark, ...tenantColors?.dark },
  });

/** Every color of text has a contrast of at least 4.5:1 on the page's background and on a surface (global.css). */
const OWN_VARIABLES = {
  light: {
    "--mantine-color-body": "#ffffff",
    "--mantine-color-text": "#0f1f16",
    "--mantine-color-dimmed": "#55635a",
    "--mantine-color-placeholder": "#5f6d64",
    "--mantine-color-anchor": "#1b7e33",
    "--mantine-color-error": "#c02626",
    "--mantine-color-default-border": "#d5ded8",
  },
  dark: {
    "--mantine-color-body": "#151c18",
    "--mantine-color-text": "#e6ede8",
    "--mantine-color-dimmed": "#9fada4",
    "--mantine-color-placeholder": "#93a198",
    "--mantine-color-anchor": "#6fdc87",
    "--mantine-color-error": "#ff8b8b",
    "--mantine-color-default-border": "#2e3933",
  },
};
