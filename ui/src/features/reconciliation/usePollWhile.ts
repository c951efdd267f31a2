import { useEffect } from "react";

const REFRESH_MS = 1_000;

/** Reads again every second while an import is open: its figures change by themselves. */
export function useRereadWhile(isOpen: boolean, reread: () => unknown) {
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => void reread(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isOpen, reread]);
}
