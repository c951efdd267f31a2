// After a modal, returns the focus to the button, menu or row that opened the modal. If that element is gone, or the
// modal opened by itself, the page's main part gets the focus.
import { useLayoutEffect } from "react";

/** The id of the main part of a page with header and navigation. */
export const CONTENT_ID = "content";

function opener(): HTMLElement | null {
  const focused = document.activeElement;
  // A menu item disappears with its menu; the menu's button stays.
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const found = menu ? document.getElementById(menu) : focused;
  return found instanceof HTMLElement && found !== document.body ? found : null;
}

export function useReturnFocus() {
  useLayoutEffect(() => {
    const from = opener();
    return () => {
      // The modal releases its focus trap in this turn of the event loop, so the focus moves in the next one.
      setTimeout(() => {
        const back = from?.isConnected ? from : document.getElementById(CONTENT_ID);
        back?.focus({ preventScroll: true });
      });
    };
  }, []);
}
