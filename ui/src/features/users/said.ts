// What was just done, told once: on the page where it was done, or on the one that it led to.
import { useEffect, useState } from "react";
import { useLocation, useNavigate } from "react-router";

export interface Said {
  text: string | undefined;
  say: (text: string) => void;
  close: () => void;
}

/** Put into the state of a navigation, `text` is told by the page that it leads to. */
export const saying = (text: string) => ({ said: text });

export function useSaid(): Said {
  const { state, pathname, search } = useLocation() as ReturnType<typeof useLocation> & {
    state: { said?: unknown } | null;
  };
  const brought = typeof state?.said === "string" ? state.said : undefined;
  const [text, setText] = useState(brought);
  const navigate = useNavigate();
  useEffect(() => {
    // Told now: coming back to this page, or reloading it, does not tell it again.
    if (brought) navigate(pathname + search, { replace: true, state: { ...state, said: undefined } });
  }, [brought, navigate, pathname, search, state]);
  return { text, say: setText, close: () => setText(undefined) };
}
