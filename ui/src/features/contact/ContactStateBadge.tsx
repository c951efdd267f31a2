// The state of a message as a word on a color.
import type { ContactState } from "../../api/models";
import { Badge } from "../../components/StatusBadge";
import { contactStrings } from "../../strings/pt-BR.contact";

const TONES = { new: "wait", answered: "good", closed: "quiet" } as const satisfies Record<
  ContactState,
  string
>;

export function ContactStateBadge({ state }: { state: ContactState }) {
  return <Badge tone={TONES[state]}>{contactStrings.states[state]}</Badge>;
}
