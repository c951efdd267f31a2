// The query of this screen's address with a ledger event opened over it.
export function searchOfEvent(event: string): string {
  const search = new URLSearchParams(window.location.search);
  search.set("event", event);
  return `?${search}`;
}
