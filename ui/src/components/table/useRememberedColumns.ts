// The hidden columns of a table, kept in this browser under the table's name.
import type { ColumnVisibilityState } from "@tanstack/react-table";
import { useEffect, useState } from "react";

type Visibility = ColumnVisibilityState;

/** The event by which `showColumns` sends new columns to the table on the screen. */
const CHOSEN = "razao-columns-chosen";

const keyOf = (table: string) => `razao-columns-${table}`;

/** Which columns of a table this browser shows, as far as it has stored that. */
export function rememberedColumns(table: string): Visibility {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(table)) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, shown]) => typeof shown === "boolean"));
  } catch {
    return {};
  }
}

function remember(table: string, visibility: Visibility) {
  try {
    localStorage.setItem(keyOf(table), JSON.stringify(visibility));
  } catch {
    // Without storage, the choice lasts until the page is left.
  }
}

/** Shows and hides these columns of a table: at once if it is on the screen, otherwise when it opens. */
export function showColumns(table: string, visibility: Visibility) {
  remember(table, visibility);
  window.dispatchEvent(new CustomEvent(CHOSEN, { detail: { table, visibility } }));
}

export function useRememberedColumns(table: string, initial: Visibility) {
  const [visibility, setVisibility] = useState<Visibility>(() => ({
    ...initial,
    ...rememberedColumns(table),
  }));
  useEffect(() => {
    const take = ({ detail }: CustomEvent<{ table: string; visibility: Visibility }>) => {
      if (detail.table === table) setVisibility(detail.visibility);
    };
    window.addEventListener(CHOSEN, take as EventListener);
    return () => window.removeEventListener(CHOSEN, take as EventListener);
  }, [table]);
  const change = (next: Visibility | ((old: Visibility) => Visibility)) => {
    const value = typeof next === "function" ? next(visibility) : next;
    // Also to what else shows the table's columns, such as the name of a saved view.
    showColumns(table, value);
  };
  return [visibility, change] as const;
}
