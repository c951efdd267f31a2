// The navigation of a wide screen: groups, and the pages of those that are open.
import { IconChevronDown } from "@tabler/icons-react";
import { useId, useState } from "react";
import { useLocation } from "react-router";
import { panel } from "../api/panel";
import { strings } from "../strings/pt-BR";
import styles from "./Navigation.module.css";
import { NavigationLink } from "./NavigationLink";
import { entryAt, groupAt, nameOf, type VisibleGroup } from "./navigation";
import type { Waiting } from "./waiting";

const KEY = `razao-${panel}-groups`;

type Opened = Readonly<Record<string, boolean>>;

function rememberedGroups(): Opened {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return typeof kept === "object" && kept !== null ? (kept as Opened) : {};
  } catch {
    return {};
  }
}

/** Which groups are open: those that the user opened, and that of the page unless the user closed it. */
function useOpenGroups() {
  const [opened, setOpened] = useState(rememberedGroups);
  const set = (label: string, isOpen: boolean) => {
    const next = { ...opened, [label]: isOpen };
    setOpened(next);
    try {
      localStorage.setItem(KEY, JSON.stringify(next));
    } catch {
      // Without storage, the choice lasts until the panel is left.
    }
  };
  return [opened, set] as const;
}

interface SidebarProps {
  groups: readonly VisibleGroup[];
  waiting: Waiting;
}

export function Sidebar({ groups, waiting }: SidebarProps) {
  const { pathname } = useLocation();
  const current = groupAt(groups, pathname);
  const [opened, setOpened] = useOpenGroups();
  const list = (atFoot: boolean) =>
    groups
      .filter((group) => (group.atFoot ?? false) === atFoot)
      .map((group) => (
        <GroupItem
          key={group.label}
          group={group}
          pathname={pathname}
          isCurrent={group === current}
          isOpen={opened[group.label] ?? group === current}
          onOpen={(isOpen) => setOpened(group.label, isOpen)}
          waiting={waiting}
        />
      ));
  return (
    <>
      <ul className={styles.groups}>{list(false)}</ul>
      <ul className={styles.groups} data-foot>
        {list(true)}
      </ul>
    </>
  );
}

interface GroupItemProps {
  group: VisibleGroup;
  pathname: string;
  isCurrent: boolean;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  waiting: Waiting;
}

function GroupItem({ group, pathname, isCurrent, isOpen, onOpen, waiting }: GroupItemProps) {
  const pagesId = useId();
  const { label, icon: Icon, entries } = group;
  const hasLevel = entries.length > 1;
  const shown = hasLevel && isOpen;
  const entry = isCurrent ? entryAt(entries, pathname) : undefined;
  return (
    <li>
      <div className={styles.group} data-current={(isCurrent && !shown) || undefined}>
        <NavigationLink
          to={entries[0].screen.route}
          className={styles.groupLink}
          current={!isCurrent || shown ? undefined : hasLevel || !isAt(entry, pathname) ? true : "page"}
          // The pages that are shown have numbers of their own.
          waiting={shown ? 0 : waitingIn(group, waiting)}
          {...(hasLevel && { onClick: () => onOpen(true) })}
        >
          <Icon size={20} stroke={1.7} aria-hidden />
          <span className={styles.name}>{label}</span>
        </NavigationLink>
        {hasLevel && (
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={isOpen}
            aria-controls={isOpen ? pagesId : undefined}
            onClick={() => onOpen(!isOpen)}
          >
            <span className={styles.unseen}>{strings.shell.pagesOf(label)}</span>
            <IconChevronDown size={17} stroke={1.7} aria-hidden />
          </button>
        )}
      </div>
      {shown && (
        <ul className={styles.pages} id={pagesId}>
          {entries.map((each) => (
            <li key={each.screen.route}>
              <NavigationLink
                to={each.screen.route}
                className={styles.pageLink}
                current={each !== entry ? undefined : isAt(each, pathname) ? "page" : true}
                waiting={waiting.get(each.screen.route) ?? 0}
              >
                <span className={styles.name}>{nameOf(each)}</span>
              </NavigationLink>
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}

const isAt = (entry: { screen: { route: string } } | undefined, pathname: string) =>
  entry?.screen.route === pathname;

export const waitingIn = ({ entries }: VisibleGroup, waiting: Waiting): number =>
  entries.reduce((sum, { screen }) => sum + (waiting.get(screen.route) ?? 0), 0);
