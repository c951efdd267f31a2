// Reading one's own writes: an answer to a change says how far the ledger had come, and the reads that follow
// ask the gateway to have come as far. For some seconds only: by then the read models have long caught up.

export const LEDGER_POSITION = "Ledger-Position";
const AWAITED_MS = 10_000;

interface Awaited {
  position: string;
  until: number;
}

let awaited: Awaited[] = [];

/** Notes what an answer tells; most tell nothing. */
export function noteWritten(headers: Headers, now = Date.now()) {
  const position = headers.get(LEDGER_POSITION);
  if (position) awaited.push({ position, until: now + AWAITED_MS });
}

/** What a read has to wait for: all positions of the last seconds, of which the gateway takes the furthest. */
export function awaitedPosition(now = Date.now()): string | undefined {
  awaited = awaited.filter(({ until }) => until > now);
  return awaited.length > 0 ? awaited.map(({ position }) => position).join(",") : undefined;
}
