// From which page each page of this tab's history was opened, so that a link back leads there.
import { useEffect, useLayoutEffect, useSyncExternalStore } from "react";
import { type Location, type NavigationType, useLocation, useNavigationType } from "react-router";
import { useOpenable } from "./access";
import { screenAt } from "./accessTable";
import { panel } from "./panel";
import { screens } from "./tables";

interface Origin {
  /** Path and query. */
  address: string;
  /** How many entries of the history it lies back. */
  steps: number;
}

/** By the key of an entry of the history. A page that was opened by its address has none. */
export type Origins = Readonly<Record<string, Origin>>;

type Place = Pick<Location, "key" | "pathname" | "search">;

/** The origins after a navigation from `last` to `next`. */
export function originsAfter(origins: Origins, last: Place, next: Place, type: `${NavigationType}`): Origins {
  const known = origins[last.key];
  if (type === "POP" || next.key === last.key) return origins;
  // A page takes over the origin of the page that it replaces, and a change of the query that of the page.
  if (type === "REPLACE") return known ? { ...origins, [next.key]: known } : origins;
  if (next.pathname === last.pathname)
    return known ? { ...origins, [next.key]: { ...known, steps: known.steps + 1 } } : origins;
  return { ...origins, [next.key]: { address: last.pathname + last.search, steps: 1 } };
}

const KEY = `razao-${panel}-visits`;
/** Older entries are dropped. */
const KEPT = 200;

function remembered(): Origins {
  try {
    return JSON.parse(sessionStorage.getItem(KEY) ?? "{}") as Origins;
  } catch {
    return {};
  }
}

let origins = remembered();
let last: Place | undefined;
const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function note(next: Place, type: `${NavigationType}`) {
  const all = last ? originsAfter(origins, last, next, type) : origins;
  last = next;
  if (all === origins) return;
  origins = Object.fromEntries(Object.entries(all).slice(-KEPT));
  try {
    sessionStorage.setItem(KEY, JSON.stringify(origins));
  } catch {
    // Without storage, a reload forgets them.
  }
  for (const listener of listeners) listener();
}

const LEAVING = ["click", "keydown"] as const;

function noteSearch() {
  const { pathname, search } = window.location;
  if (last?.pathname === pathname) last = { ...last, search };
}

/** Notes each navigation. */
export function useNoteVisits(): void {
  const location = useLocation();
  const type = useNavigationType();
  // Before the page is painted, because its link back depends on it.
  useLayoutEffect(() => note(location, type), [location, type]);
  useEffect(() => {
    // Filters change the query without the router. Who leaves a page has clicked or pressed a key.
    for (const event of LEAVING) window.addEventListener(event, noteSearch, true);
    return () => {
      for (const event of LEAVING) window.removeEventListener(event, noteSearch, true);
    };
  }, []);
}

/** The page from which this one was opened, if the user may open it and it does not lie below this one. */
export function useOrigin(): (Origin & { route: string }) | undefined {
  const { key, pathname } = useLocation();
  const mayOpen = useOpenable();
  const origin = useSyncExternalStore(subscribe, () => origins[key]);
  if (!origin) return undefined;
  const [from = ""] = origin.address.split("?");
  const screen = screenAt(screens, panel, from);
  if (!screen || screen.roles === "public" || !mayOpen(screen.route)) return undefined;
  return from === pathname || from.startsWith(`${pathname}/`)
    ? undefined
    : { ...origin, route: screen.route };
}

/** The address of the list `home`, with its filters if this page was opened from it. */
export function useListAddress(home: string): string {
  const origin = useOrigin();
  return origin?.address.split("?")[0] === home ? origin.address : home;
}
