// Whether the page is being unloaded. The browser then aborts its reads, which looks like a lost connection.

/**
 * How long `beforeunload` counts as an unload. The page may also stay after it: after a canceled navigation or the
 * start of a download.
 */
const UNLOAD_MAX_MS = 10_000;

let unloadingUntil = 0;

/** Called once, when the panel starts. */
export function watchPageUnload() {
  window.addEventListener("beforeunload", () => {
    unloadingUntil = performance.now() + UNLOAD_MAX_MS;
  });
  window.addEventListener("pagehide", () => {
    unloadingUntil = Number.POSITIVE_INFINITY;
  });
  // The browser may restore the page from its back-forward cache.
  window.addEventListener("pageshow", () => {
    unloadingUntil = 0;
  });
}

export const isPageUnloading = () => performance.now() < unloadingUntil;
