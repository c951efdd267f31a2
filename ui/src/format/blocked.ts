// Why part of a balance is blocked: by disputes, by the platform, or by both.
import { strings } from "../strings/pt-BR";
import { money } from "./money";

const words = strings.blocked;

interface Blocked {
  in_dispute: number;
  held_by_staff: number;
}

/** The note below the blocked balance; undefined balances are still on their way. */
export function blockedText(balance: Blocked | null | undefined): string {
  const disputed = balance?.in_dispute ?? 0;
  const held = balance?.held_by_staff ?? 0;
  if (disputed > 0 && held > 0) return words.both(money(disputed), money(held));
  if (disputed > 0) return words.inDispute;
  return held > 0 ? words.held : words.none;
}
