// The two breakpoints of the panels, the same as in the style sheets. On a phone, calendars fill the screen. On a
// narrow screen, up to an upright tablet, the navigation is a drawer and tables are cards.
import { useMediaQuery } from "@mantine/hooks";

export function useIsPhone(): boolean {
  return useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
}

export function useIsNarrow(): boolean {
  return useMediaQuery("(max-width: 61.99em)", false, { getInitialValueInEffect: false });
}
