// Forms of pages with values that are not saved: leaving asks first, and a session that ends keeps the values for the
// same user. FormModal asks by itself before it closes.
import type { UseFormReturnType } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { keepAtSessionEnd, takeDraft } from "../../api/drafts";
import { useSession } from "../../api/session";
import { strings } from "../../strings/pt-BR";
import type { AnyValues } from "./useValidatedForm";

/** Values that no draft keeps. */
const SECRET = /password|senha/i;

function withoutSecrets<Values extends AnyValues>(values: Values): Partial<Values> {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !SECRET.test(name))) as Partial<Values>;
}

const isInternalLink = (target: EventTarget | null) => {
  const link = target instanceof Element ? target.closest("a[href]") : null;
  return link instanceof HTMLAnchorElement &&
    link.origin === window.location.origin &&
    !link.target &&
    !link.download
    ? link
    : undefined;
};

/** `label` is the form's name on its page. */
export function useUnsaved<Values extends AnyValues>(form: UseFormReturnType<Values>, label: string) {
  // Forms of signing in have nothing that is worth a question.
  const isSignedIn = useSession().state === "signed-in";
  const dirty = form.isDirty() && isSignedIn;
  const values = useRef(form.values);
  useEffect(() => {
    values.current = form.values;
  });
  const [key] = useState(() => `${window.location.pathname} ${label}`);
  const { setValues } = form;
  useEffect(() => {
    const kept = takeDraft(key) as Partial<Values> | undefined;
    if (kept) setValues(kept);
  }, [key, setValues]);
  useEffect(() => {
    if (!dirty) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    const askBeforeLink = (event: MouseEvent) => {
      const link = isInternalLink(event.target);
      if (!link || link.pathname === window.location.pathname || event.metaKey || event.ctrlKey) return;
      if (window.confirm(strings.form.leaveTitle)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("beforeunload", ask);
    document.addEventListener("click", askBeforeLink, true);
    const stop = keepAtSessionEnd(key, () => withoutSecrets(values.current));
    return () => {
      window.removeEventListener("beforeunload", ask);
      document.removeEventListener("click", askBeforeLink, true);
      stop();
    };
  }, [dirty, key]);
}
