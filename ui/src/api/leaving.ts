// Whether the page is being left. The browser then aborts its reads, which looks like a lost connection.

/** A canceled navigation and a download leave the page where it is. */
const CALLED_OFF_MS = 10_000;

let until = 0;

/** Watches for the page being left, from the first script on. */
export function watchLeaving() {
  window.addEventListener("beforeunload", () => {
    until = performance.now() + CALLED_OFF_MS;
  });
  window.addEventListener("pagehide", () => {
    until = Number.POSITIVE_INFINITY;
  });
  // The browser may restore the page from its back-forward cache.
  window.addEventListener("pageshow", () => {
    until = 0;
  });
}

export const isBeingLeft = () => performance.now() < until;
