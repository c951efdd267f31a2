// Read your own writes: the answer to a change carries the ledger's position, and the reads of the next seconds send
// it, so that the gateway waits until the read models have reached it.

export const LEDGER_POSITION = "Ledger-Position";
const AWAITED_MS = 10_000;

interface Awaited {
  position: string;
  until: number;
}

let awaited: Awaited[] = [];

/** Notes the position of an answer; most answers have none. */
export function noteWritten(headers: Headers, now = Date.now()) {
  const position = headers.get(LEDGER_POSITION);
  if (position) awaited.push({ position, until: now + AWAITED_MS });
}

/** The positions that a read must wait for: those of the last seconds, of which the gateway takes the furthest. */
export function awaitedPosition(now = Date.now()): string | undefined {
  awaited = awaited.filter(({ until }) => until > now);
  return awaited.length > 0 ? awaited.map(({ position }) => position).join(",") : undefined;
}
