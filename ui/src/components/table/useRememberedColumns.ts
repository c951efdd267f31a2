// The hidden columns of a table, kept in this browser under the table's name.
import type { ColumnVisibilityState } from "@tanstack/react-table";
import { useState } from "react";

type Visibility = ColumnVisibilityState;

function read(key: string): Visibility {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? "{}");
    if (typeof kept !== "object" || kept === null) return {};
    return Object.fromEntries(Object.entries(kept).filter(([, shown]) => typeof shown === "boolean"));
  } catch {
    return {};
  }
}

export function useRememberedColumns(table: string, initial: Visibility) {
  const key = `razao-columns-${table}`;
  const [visibility, setVisibility] = useState<Visibility>(() => ({ ...initial, ...read(key) }));
  const change = (next: Visibility | ((old: Visibility) => Visibility)) => {
    const value = typeof next === "function" ? next(visibility) : next;
    setVisibility(value);
    try {
      localStorage.setItem(key, JSON.stringify(value));
    } catch {
      // Without storage, the choice lasts until the page is left.
    }
  };
  return [visibility, change] as const;
}
