// Two breakpoints, the same as in the style sheets: a phone, and a narrow screen up to an upright tablet.
import { useMediaQuery } from "@mantine/hooks";

export function useIsPhone(): boolean {
  return useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
}

export function useIsNarrow(): boolean {
  return useMediaQuery("(max-width: 61.99em)", false, { getInitialValueInEffect: false });
}
