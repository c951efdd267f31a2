// The selected rows of a page. Only visible rows count, so that no action changes an unseen row.
import { useState } from "react";

export interface Selection<Row> {
  has: (row: Row) => boolean;
  toggle: (row: Row) => void;
  all: boolean;
  some: boolean;
  toggleAll: () => void;
  clear: () => void;
  rows: Row[];
  name: (row: Row) => string;
}

export function useSelection<Row>(
  page: readonly Row[] | undefined,
  id: (row: Row) => string,
  name: (row: Row) => string,
): Selection<Row> {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const seen = page ?? [];
  const rows = seen.filter((row) => ticked.has(id(row)));
  const all = seen.length > 0 && rows.length === seen.length;
  return {
    has: (row) => ticked.has(id(row)),
    toggle: (row) => {
      const others = rows.map(id).filter((each) => each !== id(row));
      setTicked(new Set(ticked.has(id(row)) ? others : [...others, id(row)]));
    },
    all,
    some: rows.length > 0 && !all,
    toggleAll: () => setTicked(all ? new Set() : new Set(seen.map(id))),
    clear: () => setTicked(new Set()),
    rows,
    name,
  };
}
