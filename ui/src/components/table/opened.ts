// The record that is open over a list. The address keeps its id, so that a reload or a link opens it too.
import { parseAsString, useQueryState } from "nuqs";

const parser = parseAsString.withOptions({ history: "push" });

/** The open record's id, or null; and a function that opens another or, with null, closes it. */
export function useOpened(kind: string): [id: string | null, open: (id: string | null) => void] {
  const [id, set] = useQueryState(kind, parser);
  return [id, (next) => void set(next)];
}

/** The query of this screen's address with a record opened, for links. */
export function searchOpening(kind: string, id: string): string {
  const search = new URLSearchParams(window.location.search);
  search.set(kind, id);
  return `?${search}`;
}
