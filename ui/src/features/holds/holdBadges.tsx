// The statuses of holds and of their documents as words on a color.
import type { HoldDocument, HoldRow } from "../../api/models";
import { Badge } from "../../components/StatusBadge";
import { holdsStrings } from "../../strings/pt-BR.holds";

const HOLD_TONES = { open: "wait", ended: "quiet" } as const satisfies Record<HoldRow["state"], string>;
const DOCUMENT_TONES = { sent: "wait", accepted: "good", refused: "bad" } as const satisfies Record<
  HoldDocument["state"],
  string
>;

export function HoldBadge({ state }: Pick<HoldRow, "state">) {
  return <Badge tone={HOLD_TONES[state]}>{holdsStrings.states[state]}</Badge>;
}

export function DocumentBadge({ state }: Pick<HoldDocument, "state">) {
  return <Badge tone={DOCUMENT_TONES[state]}>{holdsStrings.documentStates[state]}</Badge>;
}
