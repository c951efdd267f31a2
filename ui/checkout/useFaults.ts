// Which faults of a form are shown: of fields that were left, of all fields once the form was sent, and those that the
// gateway found. Sending a form with faults moves the focus to the first.
import { useEffect, useState } from "react";
import type { Faults } from "./buyer";

function focusFirstFault() {
  document.querySelector<HTMLElement>('main [aria-invalid="true"]')?.focus();
}

export interface ShownFaults {
  shown: Faults;
  leave: (field: string) => void;
  /** The form was sent. False if it has faults. */
  check: () => boolean;
  refuse: (fields: Faults) => void;
}

/** `typed` is the form's content: the gateway's faults are of what was sent, and end with a change. */
export function useFaults(faults: Faults, typed: readonly unknown[]): ShownFaults {
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sent, setSent] = useState(false);
  const [refused, setRefused] = useState<{ fields: Faults; typed: readonly unknown[] }>();
  const [focuses, setFocuses] = useState(0);

  useEffect(() => {
    if (focuses > 0) focusFirstFault();
  }, [focuses]);

  const isUnchanged = refused?.typed.every((part, place) => part === typed[place]) ?? false;
  const own = Object.entries(faults).filter(([field]) => sent || left.has(field));
  return {
    shown: { ...(isUnchanged && refused?.fields), ...Object.fromEntries(own) },
    leave: (field) => setLeft((before) => new Set(before).add(field)),
    check: () => {
      setSent(true);
      const passes = Object.keys(faults).length === 0;
      if (!passes) setFocuses((count) => count + 1);
      return passes;
    },
    refuse: (fields) => {
      setRefused({ fields, typed });
      setFocuses((count) => count + 1);
    },
  };
}
