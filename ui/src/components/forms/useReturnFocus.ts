// After a modal the keyboard goes on where it was: on the button, the menu or the row that opened it. Where that is gone,
// or where nothing was chosen, it goes on at the page's content.
import { useLayoutEffect } from "react";

/** The main part of every page. */
export const CONTENT_ID = "content";

function opener(): HTMLElement | null {
  const focused = document.activeElement;
  // An item disappears with its menu; the menu's own button stays.
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const found = menu ? document.getElementById(menu) : focused;
  return found instanceof HTMLElement && found !== document.body ? found : null;
}

export function useReturnFocus() {
  useLayoutEffect(() => {
    const from = opener();
    return () => {
      // The modal's own trap lets go in the same turn.
      setTimeout(() => {
        const back = from?.isConnected ? from : document.getElementById(CONTENT_ID);
        back?.focus({ preventScroll: true });
      });
    };
  }, []);
}
