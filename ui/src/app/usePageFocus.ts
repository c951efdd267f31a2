// Where the keyboard goes on after a change of the page: on the link that led away from it, when somebody comes back; at
// the content, when what had the focus is gone.
import { useEffect, useRef } from "react";
import { useLocation } from "react-router";
import { CONTENT_ID } from "../components/forms/useReturnFocus";

interface Left {
  /** The link that was used. */
  href: string;
  /** The page that it led to. */
  pathname: string;
}

/** By the path of the page that was left. */
const leftBy = new Map<string, Left>();

function linkIn(content: Element | null): HTMLAnchorElement | undefined {
  const focused = document.activeElement;
  return focused instanceof HTMLAnchorElement && content?.contains(focused) ? focused : undefined;
}

/** Focuses the link once it is there, unless the person has done something meanwhile. Returns the way to give up. */
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

/** Whether a frame has stood before: with the first one, the browser decides where the keyboard begins. */
let hadFrame = false;

/** What had the focus is gone; a page that somebody has begun to use keeps it. */
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
    // Another company has another frame, and the button that chose it went with the old one.
    if (hadFrame) focusContent();
    hadFrame = true;
  }, []);
  useEffect(() => {
    const remember = () => {
      lastLink.current = linkIn(document.getElementById(CONTENT_ID))?.getAttribute("href") ?? undefined;
    };
    // A page that goes away takes its link out of the document before anybody could ask which it was.
    document.addEventListener("focusin", remember);
    return () => document.removeEventListener("focusin", remember);
  }, []);
  useEffect(() => {
    const from = here.current;
    if (from === pathname) return;
    here.current = pathname;
    if (lastLink.current) leftBy.set(from, { href: lastLink.current, pathname });
    lastLink.current = undefined;
    const content = document.getElementById(CONTENT_ID);
    if (!content) return;
    focusContent();
    const left = leftBy.get(pathname);
    leftBy.delete(pathname);
    if (left?.pathname !== from) return;
    return focusLink(content, left.href);
  }, [pathname]);
}
