// When a sale can be undone by a person, and what has undone it: read off the sale, nothing decided. The gateway
// decides.
import * as z from "zod/mini";
import type { SaleEvent, SaleStatus } from "../../api/models";
import { strings } from "../../strings/pt-BR";

const words = strings.sale;

/** Why a sale of this status can be neither cancelled nor disputed; undefined where it can. */
export function whyNotUndone(status: SaleStatus): string | undefined {
  if (status === "succeeded") return undefined;
  return status === "dispute" ? words.inDispute : words.onlyApproved;
}

type UndoingEvent = keyof typeof words.broughtForwardBy;

const undoes = (type: string): type is UndoingEvent => Object.hasOwn(words.broughtForwardBy, type);

/** What brought the outstanding instalments forward: the first that undid the sale, be it won back later. */
export function broughtForwardText(events: readonly Pick<SaleEvent, "type">[]): string | undefined {
  const first = events.map(({ type }) => type).find(undoes);
  return first && words.broughtForwardBy[first];
}

export const REASON_LENGTH_MAX = 200;

export const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.maxLength(REASON_LENGTH_MAX, strings.undo.reasonTooLong)),
});
