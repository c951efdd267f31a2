// Whether the window is as narrow as a phone's: the one breakpoint where tables become cards.
import { useMediaQuery } from "@mantine/hooks";

export function useIsPhone(): boolean {
  return useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
}
