// Whether the page is being left. The browser then cuts off what the page still reads, which looks as if the gateway
// could not be reached.

/** A navigation that the person called off, or that was a download, leaves the page where it is. */
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
  // From the browser's cache of pages it may come back.
  window.addEventListener("pageshow", () => {
    until = 0;
  });
}

export const isBeingLeft = () => performance.now() < until;
