// When a sale can be undone by a person, and what has undone it: read off the sale, nothing decided. The gateway
// decides.
import * as z from "zod/mini";
import type { SaleDetail, SaleEvent, SaleStatus } from "../../api/models";
import { strings } from "../../strings/pt-BR";
import { undoStrings } from "../../strings/pt-BR.undo";

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

const ASKED_WITHIN_MS = 60_000;

/** Whether the acquirer's answer to a refund is still to come: it is asked for some moments after a cancel. */
export function refundUnderWay(
  {
    status,
    refund,
    events,
  }: Pick<SaleDetail, "status" | "refund"> & {
    events: readonly Pick<SaleEvent, "type" | "recorded_at">[];
  },
  now: number,
): boolean {
  if (refund) return refund.status === "asked";
  const canceled = events.find(({ type }) => type === "SaleCanceled");
  if (status !== "canceled" || !canceled) return false;
  return now - Date.parse(canceled.recorded_at) < ASKED_WITHIN_MS;
}

export const REASON_LENGTH_MAX = 200;

export const reasonSchema = z.object({
  reason: z.string().check(z.trim(), z.maxLength(REASON_LENGTH_MAX, undoStrings.undo.reasonTooLong)),
});
