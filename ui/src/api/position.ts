// Read your own writes: the answer to a change carries a position of the ledger. The reads of the next ten seconds send
// the position. The gateway then waits, two seconds at most, until the read models have reached it.

export const LEDGER_POSITION = "Ledger-Position";
/** Limits the waiting of reads if a read model has stopped. */
const AWAITED_MS = 10_000;

interface Awaited {
  /** `shard:position`, or several of them with commas. */
  position: string;
  /** In milliseconds, by the clock of `Date.now()`. */
  until: number;
}

let awaited: Awaited[] = [];

/** Notes the position of an answer. Answers that record nothing have none. */
export function noteWritten(headers: Headers, now = Date.now()) {
  const position = headers.get(LEDGER_POSITION);
  if (position) awaited.push({ position, until: now + AWAITED_MS });
}

/** The positions of the last ten seconds, joined by commas. The gateway waits for the furthest in each shard. */
export function awaitedPosition(now = Date.now()): string | undefined {
  awaited = awaited.filter(({ until }) => until > now);
  return awaited.length > 0 ? awaited.map(({ position }) => position).join(",") : undefined;
}
