import { useEffect } from "react";

const POLL_MS = 1_000;

/** Reads again every second while an import is unfinished, because its figures change without the user. */
export function usePollWhile(unfinished: boolean, reread: () => unknown) {
  useEffect(() => {
    if (!unfinished) return;
    const timer = setInterval(() => void reread(), POLL_MS);
    return () => clearInterval(timer);
  }, [unfinished, reread]);
}
