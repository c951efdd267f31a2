// An event of a sale in words: its title, its author, the reason, the dispute's code, and the names of a refund.
import type { SaleEvent } from "../../api/models";
import { authorText } from "../../format/author";
import { money } from "../../format/money";
import { salesStrings } from "../../strings/pt-BR.sales";
import { statusStrings } from "../../strings/pt-BR.status";
import { nameTexts } from "./paymentNames";

const words = salesStrings.sale;

export function eventTitle({ type, label }: Pick<SaleEvent, "type" | "label">): string {
  // A confirmation has the same label as the opening of the dispute, which is a separate event.
  return type === "DisputeConfirmed" ? words.disputeConfirmed : statusStrings.eventLabels[label];
}

/** The prefix of a dispute id that the gateway generates. */
export const OWN_DISPUTE = "panel_";

/** The acquirer's code of a dispute; undefined for an id that the gateway generated. */
export function disputeCodeText(id: string | null): string | undefined {
  return id === null || id.startsWith(OWN_DISPUTE) ? undefined : words.disputeCode(id);
}

type Details = Pick<SaleEvent, "reserved" | "author" | "reason" | "dispute_id" | "names">;

export function eventDetails({ reserved, author, reason, dispute_id, names }: Details): string[] {
  const details = [
    words.byAuthor(authorText(author)),
    reserved !== null && words.inReserve(money(reserved)),
    reason && words.reason(reason),
    disputeCodeText(dispute_id),
    ...nameTexts(names),
  ];
  return details.filter((detail): detail is string => Boolean(detail));
}
