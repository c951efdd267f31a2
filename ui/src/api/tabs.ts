// Tells the other tabs of this panel that the user signed out: they have the same cookies.
import { panel } from "./panel";

const NAME = `razao-${panel}-session`;
const ENDED = "ended";

export function tellTabs() {
  const channel = new BroadcastChannel(NAME);
  channel.postMessage(ENDED);
  channel.close();
}

/** Calls `listener` when the user signs out in another tab. Returns a function that stops listening. */
export function onEndInOtherTab(listener: () => void): () => void {
  const channel = new BroadcastChannel(NAME);
  channel.onmessage = ({ data }) => data === ENDED && listener();
  return () => channel.close();
}
