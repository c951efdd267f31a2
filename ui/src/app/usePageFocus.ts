// Moves the focus after a change of page. Going back focuses the link that led away; if the focused element is gone,
// the content gets the focus.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { CONTENT_ID } from "../components/forms/useReturnFocus";

interface Departure {
  /** The link that was followed. */
  href: string;
  /** The page that it opened. */
  pathname: string;
}

/** The last departure from each page, by the page's path. */
const departures = new Map<string, Departure>();

function linkIn(content: Element | null): HTMLAnchorElement | undefined {
  const focused = document.activeElement;
  return focused instanceof HTMLAnchorElement && content?.contains(focused) ? focused : undefined;
}

/** Focuses the link once it exists, unless the user has acted in between. Returns a function that stops waiting. */
function focusLink(content: Element, href: string): () => void {
  const find = () => {
    const link = [...content.querySelectorAll("a")].find((each) => each.getAttribute("href") === href);
    if (!link) return false;
    link.focus();
    return true;
  };
  if (find()) return () => undefined;
  const stop = () => {
    observer.disconnect();
    for (const event of ["keydown", "pointerdown"]) window.removeEventListener(event, stop);
  };
  const observer = new MutationObserver(() => {
    if (find()) stop();
  });
  observer.observe(content, { childList: true, subtree: true });
  for (const event of ["keydown", "pointerdown"]) window.addEventListener(event, stop);
  return stop;
}

/** Whether a shell was mounted before. When the first shell mounts, the browser decides the focus. */
let shellWasMounted = false;

/** Focuses the content, unless an element has the focus. */
function focusContent() {
  const focused = document.activeElement;
  if (focused && focused !== document.body) return;
  document.getElementById(CONTENT_ID)?.focus({ preventScroll: true });
}

export function usePageFocus() {
  const { pathname } = useLocation();
  const here = useRef(pathname);
  const lastLink = useRef<string>(undefined);
  useEffect(() => {
    // A change of company mounts a new shell. The select that had the focus is gone with the old one.
    if (shellWasMounted) focusContent();
    shellWasMounted = true;
  }, []);
  useEffect(() => {
    const remember = () => {
      lastLink.current = linkIn(document.getElementById(CONTENT_ID))?.getAttribute("href") ?? undefined;
    };
    // Noted before the page is removed, because the link is removed with the page.
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    const from = here.current;
    if (from === pathname) return;
    here.current = pathname;
    if (lastLink.current) departures.set(from, { href: lastLink.current, pathname });
    lastLink.current = undefined;
    const content = document.getElementById(CONTENT_ID);
    if (!content) return;
    focusContent();
    const departure = departures.get(pathname);
    departures.delete(pathname);
    if (departure?.pathname !== from) return;
    return focusLink(content, departure.href);
  }, [pathname]);
}
