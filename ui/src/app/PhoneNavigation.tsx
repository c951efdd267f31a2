// The navigation of a narrow screen: a bar of four groups at the bottom, the other groups behind "Mais", and the pages
// of the open group as tabs below the header.
import { IconDots } from "@tabler/icons-react";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { strings } from "../strings/pt-BR";
import styles from "./Navigation.module.css";
import { NavigationLink } from "./NavigationLink";
import { groupAt, nameOf, type VisibleGroup } from "./navigation";
import { waitingIn } from "./Sidebar";
import { WaitingPill } from "./WaitingPill";
import type { Waiting } from "./waiting";

/** Loaded when it is opened. */
const MoreSheet = lazy(() => import("./MoreSheet"));

const BAR_PLACES = 4;

/** The groups of the bar, in their order: those that belong there, and others on the places that are left. */
function barOf(groups: readonly VisibleGroup[]): readonly VisibleGroup[] {
  const first = groups.filter(({ inBar }) => inBar);
  const others = groups.filter(({ inBar }) => !inBar);
  const chosen = [...first, ...others].slice(0, BAR_PLACES);
  return groups.filter((group) => chosen.includes(group));
}

interface PhoneNavigationProps {
  groups: readonly VisibleGroup[];
  waiting: Waiting;
}

export function PhoneBar({ groups, waiting }: PhoneNavigationProps) {
  const { pathname } = useLocation();
  const [openOn, setOpenOn] = useState<string>();
  // A link of the sheet leads to another page, which closes it.
  const isOpen = openOn === pathname;
  const bar = barOf(groups);
  const others = groups.filter((group) => !bar.includes(group));
  const current = groupAt(groups, pathname);
  const waitsBehind = others.reduce((sum, group) => sum + waitingIn(group, waiting), 0);
  return (
    <>
      <ul className={styles.bar}>
        {bar.map((group) => (
          <li key={group.label}>
            <NavigationLink
              to={group.entries[0].screen.route}
              className={styles.barLink}
              current={
                group !== current ? undefined : group.entries[0].screen.route === pathname ? "page" : true
              }
              waiting={waitingIn(group, waiting)}
            >
              <span className={styles.barIcon}>
                <group.icon size={21} stroke={1.7} aria-hidden />
              </span>
              <span>{group.label}</span>
            </NavigationLink>
          </li>
        ))}
        <li>
          <button
            type="button"
            className={styles.barLink}
            data-current={(current && others.includes(current)) || undefined}
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setOpenOn(pathname)}
          >
            <span className={styles.barIcon}>
              <IconDots size={21} stroke={1.7} aria-hidden />
            </span>
            <span>{strings.shell.more}</span>
            <WaitingPill count={waitsBehind} />
          </button>
        </li>
      </ul>
      <Suspense>
        {isOpen && <MoreSheet groups={others} waiting={waiting} onClose={() => setOpenOn(undefined)} />}
      </Suspense>
    </>
  );
}

/** The pages of the group, on each of them. The page of one record has a link back instead. */
export function GroupTabs({ groups, waiting }: PhoneNavigationProps) {
  const { pathname } = useLocation();
  const tabs = useRef<HTMLElement>(null);
  const group = groupAt(groups, pathname);
  const here = group?.entries.find(({ screen }) => screen.route === pathname);
  const route = here?.screen.route;
  useEffect(() => {
    const tab = route && tabs.current?.querySelector<HTMLElement>("[aria-current]");
    if (!tab || !tabs.current) return;
    tabs.current.scrollLeft = tab.offsetLeft - (tabs.current.clientWidth - tab.clientWidth) / 2;
  }, [route]);
  if (!group || !here || group.entries.length < 2) return null;
  return (
    <nav className={styles.tabs} ref={tabs} aria-label={strings.shell.pagesOf(group.label)}>
      <ul>
        {group.entries.map((each) => (
          <li key={each.screen.route}>
            <NavigationLink
              to={each.screen.route}
              className={styles.tab}
              current={each === here ? "page" : undefined}
              waiting={waiting.get(each.screen.route) ?? 0}
            >
              <span>{nameOf(each)}</span>
            </NavigationLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
