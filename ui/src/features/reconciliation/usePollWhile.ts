import { useEffect } from "react";

const INTERVAL_MS = 1_000;

/** Reads again every second while an import is unfinished: its figures change by themselves. */
export function usePollWhile(unfinished: boolean, reread: () => unknown) {
  useEffect(() => {
    if (!unfinished) return;
    const timer = setInterval(() => void reread(), INTERVAL_MS);
    return () => clearInterval(timer);
  }, [unfinished, reread]);
}
