// The two breakpoints of the panels. On a phone, calendars fill the screen. Up to a tablet held upright, the
// navigation is a drawer and tables are cards.
import { useMediaQuery } from "@mantine/hooks";

export function useIsPhone(): boolean {
  return useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
}

export function useIsNarrow(): boolean {
  return useMediaQuery("(max-width: 61.99em)", false, { getInitialValueInEffect: false });
}
