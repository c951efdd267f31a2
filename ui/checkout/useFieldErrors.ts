// The errors that a form shows: those of fields that lost the focus, those of all fields once the form was submitted,
// and those of the gateway's answer. Submitting a form with errors moves the focus to the first.
import { useEffect, useState } from "react";
import type { FieldErrors } from "./buyer";

function focusFirstError() {
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}

export interface ShownErrors {
  shown: FieldErrors;
  leave: (field: string) => void;
  /** Shows all errors. Returns false if there are any. */
  showAllErrors: () => boolean;
  showGatewayErrors: (fields: FieldErrors) => void;
}

/** `content` is the form's current content. The gateway's errors are shown until the content changes. */
export function useFieldErrors(errors: FieldErrors, content: readonly unknown[]): ShownErrors {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [submitted, setSubmitted] = useState(false);
  const [fromGateway, setFromGateway] = useState<{ fields: FieldErrors; content: readonly unknown[] }>();
  const [focuses, setFocuses] = useState(0);

  useEffect(() => {
    if (focuses > 0) focusFirstError();
  }, [focuses]);

  const isUnchanged = fromGateway?.content.every((part, index) => part === content[index]) ?? false;
  const own = Object.entries(errors).filter(([field]) => submitted || left.has(field));
  return {
    shown: { ...(isUnchanged && fromGateway?.fields), ...Object.fromEntries(own) },
    leave: (field) => setLeft((before) => new Set(before).add(field)),
    showAllErrors: () => {
      setSubmitted(true);
      const passes = Object.keys(errors).length === 0;
      if (!passes) setFocuses((count) => count + 1);
      return passes;
    },
    showGatewayErrors: (fields) => {
      setFromGateway({ fields, content });
      setFocuses((count) => count + 1);
    },
  };
}
