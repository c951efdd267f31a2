// After a modal the keyboard goes on where it was: on the button, or the menu, that opened it.
import { useLayoutEffect } from "react";

function opener(): HTMLElement | null {
  const focused = document.activeElement;
  // An item disappears with its menu; the menu's own button stays.
  const menu = focused?.closest("[role=menu]")?.getAttribute("aria-labelledby");
  const found = menu ? document.getElementById(menu) : focused;
  return found instanceof HTMLElement ? found : null;
}

export function useReturnFocus() {
  useLayoutEffect(() => {
    const from = opener();
    return () => {
      // The modal's own trap lets go in the same turn.
      setTimeout(() => from?.isConnected && from.focus({ preventScroll: true }));
    };
  }, []);
}
