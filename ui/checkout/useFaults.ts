// The faults that a form shows: of fields that were left, of all fields once the form was sent, and those that the
// gateway found. Sending a form with faults moves the focus to the first.
import { useEffect, useState } from "react";
import type { Faults } from "./buyer";

function focusFirstFault() {
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}

export interface ShownFaults {
  shown: Faults;
  leave: (field: string) => void;
  /** Shows all faults. Returns false if there are any. */
  showAllFaults: () => boolean;
  showGatewayFaults: (fields: Faults) => void;
}

/** `content` is the form's current content. The gateway's faults are shown until the content changes. */
export function useFaults(faults: Faults, content: readonly unknown[]): ShownFaults {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const [fromGateway, setFromGateway] = useState<{ fields: Faults; content: readonly unknown[] }>();
  const [focuses, setFocuses] = useState(0);

  useEffect(() => {
    if (focuses > 0) focusFirstFault();
  }, [focuses]);

  const isUnchanged = fromGateway?.content.every((part, index) => part === content[index]) ?? false;
  const own = Object.entries(faults).filter(([field]) => sent || left.has(field));
  return {
    shown: { ...(isUnchanged && fromGateway?.fields), ...Object.fromEntries(own) },
    leave: (field) => setLeft((before) => new Set(before).add(field)),
    showAllFaults: () => {
      setSent(true);
      const passes = Object.keys(faults).length === 0;
      if (!passes) setFocuses((count) => count + 1);
      return passes;
    },
    showGatewayFaults: (fields) => {
      setFromGateway({ fields, content });
      setFocuses((count) => count + 1);
    },
  };
}
