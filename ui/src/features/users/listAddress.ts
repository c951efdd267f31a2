// The list that opened a page, kept in the state of the navigation.
import { useLocation } from "react-router";

/** The address of the list that opened this page, with its filters; else `home`. */
export function useListAddress(home: string): string {
  const { state } = useLocation() as { state: { list?: unknown } | null };
  return typeof state?.list === "string" && state.list.startsWith("/") ? state.list : home;
}
