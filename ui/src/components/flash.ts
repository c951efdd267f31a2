// A flash message: the result of the last action, shown once, on the same page or on the next one.
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

export interface Flash {
  text: string | undefined;
  show: (text: string) => void;
  close: () => void;
}

/** The state of a navigation whose target shows `text`. */
export const flashState = (text: string) => ({ flash: text });

export function useFlash(): Flash {
  const { state, pathname, search } = useLocation() as ReturnType<typeof useLocation> & {
    state: { flash?: unknown } | null;
  };
  const received = typeof state?.flash === "string" ? state.flash : undefined;
  const [text, setText] = useState(received);
  const navigate = useNavigate();
  useEffect(() => {
    // Removed from the history entry, so that going back or reloading does not show it again.
    if (received) navigate(pathname + search, { replace: true, state: { ...state, flash: undefined } });
  }, [received, navigate, pathname, search, state]);
  return { text, show: setText, close: () => setText(undefined) };
}
