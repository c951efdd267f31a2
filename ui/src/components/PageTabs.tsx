// The parts of a page behind tabs. Only the open one is mounted.
import { Tabs } from "@mantine/core";
import type { ReactNode, Ref } from "react";
import styles from "./PageTabs.module.css";

export type PageTab<Tab extends string> = readonly [tab: Tab, title: ReactNode, content?: ReactNode];

interface PageTabsProps<Tab extends string> {
  label: string;
  open: Tab;
  onChange: (next: Tab) => void;
  /** Without contents, the page shows the open one itself. */
  tabs: readonly PageTab<Tab>[];
  /** Whether the tabs stay in one line on a narrow screen. */
  scrolls?: boolean;
  listClass?: string | undefined;
  tabClass?: string | undefined;
  listRef?: Ref<HTMLDivElement>;
}

const both = (own: string | undefined, other = "") => `${own} ${other}`.trim();

export function PageTabs<Tab extends string>(props: PageTabsProps<Tab>) {
  return (
    <Tabs
      value={props.open}
      onChange={(next) => props.onChange(next as Tab)}
      keepMounted={false}
      classNames={{ list: both(styles.list, props.listClass), tab: both(styles.tab, props.tabClass) }}
    >
      <Tabs.List ref={props.listRef} aria-label={props.label} data-scrolls={props.scrolls || undefined}>
        {props.tabs.map(([tab, title]) => (
          <Tabs.Tab key={tab} value={tab}>
            {title}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {props.tabs.map(
        ([tab, , content]) =>
          content && (
            <Tabs.Panel key={tab} value={tab} pt="md">
              {content}
            </Tabs.Panel>
          ),
      )}
    </Tabs>
  );
}
