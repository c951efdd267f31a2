// Why part of a balance is blocked: by disputes, by the platform, or by both.
import { statusStrings } from "../strings/pt-BR.status";
import { money } from "./money";

const words = statusStrings.blocked;

export interface Blocked {
  in_dispute: number;
  held_by_staff: number;
}

/** The note below the blocked balance. `balance` is missing while it is read, or if the user may not read it. */
export function blockedText(balance: Blocked | null | undefined): string {
  const disputed = balance?.in_dispute ?? 0;
  const held = balance?.held_by_staff ?? 0;
  if (held === 0) return disputed > 0 ? words.inDispute : words.none;
  return disputed > 0 ? words.both(money(disputed), money(held)) : words.held;
}
