// Follows an order until it is final: by server-sent events, and by polling while there is no stream. A phone cuts
// connections while the bank's app is in front, so the order is read again when the page is back.
import { CallFailure, eventsPath, getOrder } from "./calls";
import type { Order } from "./contract";

const POLL_MS = 3_000;
const POLL_MS_MAX = 15_000;
/** Beside a stream that works: a phone may not notice that its connection is dead. */
const POLL_MS_LIVE = 30_000;
/** After the browser gave up on the stream. */
const RECONNECT_MS = 15_000;

interface Listener {
  onOrder: (order: Order) => void;
  onFailure: (failure: CallFailure) => void;
}

/** Returns what ends it. `isKnown`: the order was just read. */
export function followOrder(id: string, isKnown: boolean, { onOrder, onFailure }: Listener): () => void {
  let hasEnded = false;
  let isLive = false;
  let delay = POLL_MS;
  /** Of what the stream and the calls told. */
  let told = 0;
  let poll: ReturnType<typeof setTimeout> | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let stream: EventSource | undefined;

  const note = (order: Order) => {
    if (hasEnded) return;
    delay = POLL_MS;
    told += 1;
    onOrder(order);
    if (order.final) end();
  };
  const read = async () => {
    clearTimeout(poll);
    const before = told;
    try {
      const order = await getOrder(id);
      // What the stream told meanwhile may be newer.
      if (told === before) note(order);
    } catch (error) {
      if (hasEnded) return;
      const failure = error instanceof CallFailure ? error : new CallFailure(0);
      delay = Math.min(POLL_MS_MAX, Math.max(delay * 2, (failure.waitSeconds ?? 0) * 1000));
      onFailure(failure);
    }
    pollLater();
  };
  const pollLater = () => {
    clearTimeout(poll);
    if (!hasEnded) poll = setTimeout(read, isLive ? POLL_MS_LIVE : delay);
  };
  const connect = () => {
    stream?.close();
    stream = new EventSource(eventsPath(id));
    // Not when it opens: a proxy may hold the events back.
    stream.addEventListener("status", ({ data }: MessageEvent<string>) => {
      isLive = true;
      note(JSON.parse(data) as Order);
      pollLater();
    });
    stream.addEventListener("error", () => {
      isLive = false;
      pollLater();
      if (stream?.readyState !== EventSource.CLOSED) return;
      clearTimeout(reconnect);
      if (!hasEnded) reconnect = setTimeout(connect, RECONNECT_MS);
    });
  };
  const back = () => {
    if (document.visibilityState === "visible") void read();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(poll);
    clearTimeout(reconnect);
    stream?.close();
    document.removeEventListener("visibilitychange", back);
    window.removeEventListener("online", back);
  };

  document.addEventListener("visibilitychange", back);
  window.addEventListener("online", back);
  connect();
  if (isKnown) pollLater();
  else void read();
  return end;
}
