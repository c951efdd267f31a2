// Follows an order until it is final: by server-sent events, and by polling, more often while there is no stream. A
// phone may cut a page's connections while the bank's app is in front, so a return to the page reads the order again.
import { asCallFailure, type CallFailure, eventsPath, getOrder } from "./calls";
import type { Order } from "./contract";

const POLL_MS = 3_000;
const POLL_MS_MAX = 15_000;
/** In addition to a working stream: a phone may not notice that its connection is dead. */
const POLL_MS_LIVE = 30_000;
/** After the browser gave up on the stream. */
const RECONNECT_MS = 15_000;

interface Listener {
  onOrder: (order: Order) => void;
  onFailure: (failure: CallFailure) => void;
}

/** Returns a function that stops following. `isKnown`: the order was just read. */
export function followOrder(id: string, isKnown: boolean, { onOrder, onFailure }: Listener): () => void {
  let hasEnded = false;
  let isLive = false;
  let delay = POLL_MS;
  /** The number of states that the stream and the calls have reported. */
  let reported = 0;
  let poll: ReturnType<typeof setTimeout> | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let stream: EventSource | undefined;

  const report = (order: Order) => {
    if (hasEnded) return;
    delay = POLL_MS;
    reported += 1;
    onOrder(order);
    if (order.final) end();
  };
  const read = async () => {
    clearTimeout(poll);
    const before = reported;
    try {
      const order = await getOrder(id);
      // The stream may have reported a newer state in between.
      if (reported === before) report(order);
    } catch (error) {
      if (hasEnded) return;
      const failure = asCallFailure(error);
      delay = Math.max(Math.min(delay * 2, POLL_MS_MAX), (failure.waitSeconds ?? 0) * 1000);
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
    // The stream counts as live from its first event, not when it opens: a proxy may hold the events back.
    stream.addEventListener("status", ({ data }: MessageEvent<string>) => {
      isLive = true;
      report(JSON.parse(data) as Order);
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
  const readIfVisible = () => {
    if (document.visibilityState === "visible") void read();
  };
  const end = () => {
    hasEnded = true;
    clearTimeout(poll);
    clearTimeout(reconnect);
    stream?.close();
    document.removeEventListener("visibilitychange", readIfVisible);
    window.removeEventListener("online", readIfVisible);
  };

  document.addEventListener("visibilitychange", readIfVisible);
  window.addEventListener("online", readIfVisible);
  connect();
  if (isKnown) pollLater();
  else void read();
  return end;
}
