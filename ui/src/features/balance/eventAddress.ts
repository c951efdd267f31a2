// The address of an event of the ledger.
/** The address of the same screen with an event opened over it. */
export function searchOfEvent(event: string): string {
  const search = new URLSearchParams(window.location.search);
  search.set("event", event);
  return `?${search}`;
}
