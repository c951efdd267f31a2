// The reason of a row of the exceptions queue in words.
import { exceptionsStrings } from "../../strings/pt-BR.exceptions";

const REASONS: Readonly<Record<string, string>> = exceptionsStrings.exceptions.reasons;

interface Reason {
  reason: string;
  reason_parameters: { message?: unknown };
}

/** A reason without a translation shows the gateway's text, or its code. */
export function reasonText({ reason, reason_parameters: { message } }: Reason): string {
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason] ?? reason;
  return typeof message === "string" ? message : reason;
}
