// Where a page stands: its group, the entries of the navigation, and the pages above it. It uses neither React nor the
// network.
import { matchPath } from "react-router";
import type { PanelGroup, PanelRoute } from "./routes";

/** A group as the user sees it. */
export interface VisibleGroup extends PanelGroup {
  /** Its pages in the navigation, at least one. The group's own link leads to the first. */
  entries: readonly [PanelRoute, ...PanelRoute[]];
}

export const nameOf = ({ label, screen }: PanelRoute): string => label ?? screen.title;

/** A page of one record has no entry. */
const hasEntry = ({ unlisted, screen }: PanelRoute) => !unlisted && !screen.route.includes(":");

/** The groups with their entries that the user may open. A group without any is absent. */
export function visibleGroups(
  groups: readonly PanelGroup[],
  mayOpen: (route: string) => boolean,
): readonly VisibleGroup[] {
  return groups.flatMap((group) => {
    const [first, ...others] = group.pages.filter((each) => hasEntry(each) && mayOpen(each.screen.route));
    if (!first) return [];
    // Of a group with one page, the user sees the page.
    const label = others.length === 0 ? first.screen.title : group.label;
    return [{ ...group, label, entries: [first, ...others] as const }];
  });
}

/** The page at an address: of several matches, such as of "/empresas/nova", the one with the fewest parameters. */
export function pageAt(pages: readonly PanelRoute[], pathname: string): PanelRoute | undefined {
  return pages
    .filter(({ screen }) => matchPath(screen.route, pathname))
    .toSorted((one, other) => one.screen.route.split(":").length - other.screen.route.split(":").length)[0];
}

/** The group that has a page at this address. */
export function groupAt<G extends PanelGroup>(groups: readonly G[], pathname: string): G | undefined {
  return groups.find(({ pages }) => pageAt(pages, pathname));
}

/** The entry that is marked on a page of its group: that of the page, else of the nearest page above it. */
export function entryAt(entries: readonly PanelRoute[], pathname: string): PanelRoute | undefined {
  return entries
    .filter(({ screen: { route } }) => pathname === route || pathname.startsWith(`${route}/`))
    .toSorted((one, other) => other.screen.route.length - one.screen.route.length)[0];
}

export interface Crumb {
  name: string;
  /** Undefined for the current page, and for pages that the user may not open. */
  to: string | undefined;
}

/** The way from the home page to a page: its group, the pages above it, and itself. */
export function crumbsOf(
  groups: readonly PanelGroup[],
  pathname: string,
  mayOpen: (route: string) => boolean,
): readonly Crumb[] {
  const group = groupAt(groups, pathname);
  const here = group && pageAt(group.pages, pathname);
  if (!here) return [];
  const [seen] = visibleGroups([group], mayOpen);
  const first = seen?.entries[0];
  const parts = pathname.split("/");
  const prefixes = parts.map((_, last) => parts.slice(0, last + 1).join("/")).slice(1, -1);
  const above = prefixes.flatMap((path) => {
    const page = pageAt(group.pages, path);
    // The group's link leads to its first page.
    if (!page || page === first || page === here) return [];
    return [{ name: nameOf(page), to: mayOpen(page.screen.route) ? path : undefined }];
  });
  const own = nameOf(here);
  // The group as the user sees it may have the page's name.
  const label = seen?.label ?? group.label;
  const isGroup = own === label || (first === here && seen?.entries.length === 1);
  return [
    ...(isGroup ? [] : [{ name: label, to: first === here ? undefined : first?.screen.route }]),
    ...above,
    { name: isGroup ? label : own, to: undefined },
  ];
}
