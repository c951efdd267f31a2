// An event of a sale in words: its title, who began it, why, and which dispute it is of.
import type { SaleEvent } from "../../api/models";
import { authorText } from "../../format/author";
import { strings } from "../../strings/pt-BR";

const words = strings.sale;

export function eventTitle({ type, label }: Pick<SaleEvent, "type" | "label">): string {
  // It has the label of the dispute's opening, which is a line of its own.
  return type === "DisputeConfirmed" ? words.disputeConfirmed : strings.eventLabels[label];
}

/** How the gateway begins the id of a dispute that a person opened here. */
export const OWN_DISPUTE = "panel_";

/** The acquirer's code of a dispute. One that a person opened has only our internal id, which is no one's to quote. */
export function disputeCodeText(id: string | null): string | undefined {
  return id === null || id.startsWith(OWN_DISPUTE) ? undefined : words.disputeCode(id);
}

type Details = Pick<SaleEvent, "author" | "reason" | "dispute_id">;

export function eventDetails({ author, reason, dispute_id }: Details): string[] {
  const details = [
    words.begunBy(authorText(author)),
    reason && words.reason(reason),
    disputeCodeText(dispute_id),
  ];
  return details.filter((detail): detail is string => Boolean(detail));
}
