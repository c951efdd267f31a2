// The status of a payment link as a word on a color.
import type { PaymentLink } from "../../api/models";
import { Badge } from "../../components/StatusBadge";
import { linksStrings } from "../../strings/pt-BR.links";

const TONES = {
  active: "good",
  inactive: "quiet",
  expired: "wait",
  exhausted: "info",
} as const satisfies Record<PaymentLink["status"], string>;

export function LinkStatusBadge({ status }: { status: PaymentLink["status"] }) {
  return <Badge tone={TONES[status]}>{linksStrings.statuses[status]}</Badge>;
}
