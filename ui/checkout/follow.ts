// Follows an order until it is final: by server-sent events, and by polling while there is no stream. A phone cuts
// connections while the bank's app is in front, so the order is read again when the page is back.
import { CallFailure, eventsPath, getOrder } from "./calls";
import type { Order } from "./contract";

const POLL_MS = 3_000;
const POLL_MS_MAX = 15_000;
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
  let poll: ReturnType<typeof setTimeout> | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let stream: EventSource | undefined;

  const note = (order: Order) => {
    if (hasEnded) return;
    delay = POLL_MS;
    onOrder(order);
    if (order.final) end();
  };
  const read = async () => {
    clearTimeout(poll);
    try {
      note(await getOrder(id));
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
    if (!hasEnded && !isLive) poll = setTimeout(read, delay);
  };
  const connect = () => {
    stream?.close();
    stream = new EventSource(eventsPath(id));
    stream.addEventListener("open", () => {
      isLive = true;
      clearTimeout(poll);
    });
    stream.addEventListener("status", ({ data }: MessageEvent<string>) => note(JSON.parse(data) as Order));
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
