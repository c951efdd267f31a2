// Why a notice waits, in words.
import { staffStrings } from "../../strings/pt-BR.staff";

const REASONS: Readonly<Record<string, string>> = staffStrings.exceptions.reasons;

interface Reason {
  reason: string;
  reason_parameters: { message?: unknown };
}

/** A reason without words here has them from the gateway, or goes by its code. */
export function reasonText({ reason, reason_parameters: { message } }: Reason): string {
  if (Object.hasOwn(REASONS, reason)) return REASONS[reason] ?? reason;
  return typeof message === "string" ? message : reason;
}
