// The state of a sale's reversals as the screens show it: whether one is possible, which one came first, and whether a
// refund is under way. The gateway checks again.
import type { SaleDetail, SaleEvent, SaleStatus } from "../../api/models";
import { salesStrings } from "../../strings/pt-BR.sales";

const words = salesStrings.sale;

/** Why a sale of this status cannot be reversed; undefined if it can. */
export function reversalDisabledReason(status: SaleStatus): string | undefined {
  if (status === "succeeded") return undefined;
  return status === "dispute" ? words.inDispute : words.onlyApproved;
}

type ReversalEvent = keyof typeof words.acceleratedBy;

const isReversal = (type: string): type is ReversalEvent => Object.hasOwn(words.acceleratedBy, type);

/** Names the reversal that accelerated the open installments: the first one, even if it was a dispute that was won. */
export function acceleratedText(events: readonly Pick<SaleEvent, "type">[]): string | undefined {
  const first = events.map(({ type }) => type).find(isReversal);
  return first && words.acceleratedBy[first];
}

/** If no refund was requested within this time after a cancel or a part, none is awaited. */
const REFUND_REQUESTED_WITHIN_MS = 60_000;

/** Whether the acquirer's answer to a refund is awaited. It is requested some moments after the cancel or the part. */
export function refundUnderWay(
  {
    refunds,
    events,
  }: {
    refunds: readonly Pick<SaleDetail["refunds"][number], "status">[];
    events: readonly Pick<SaleEvent, "type" | "recorded_at" | "initiator">[];
  },
  now: number,
): boolean {
  if (refunds.some(({ status }) => status === "asked")) return true;
  const returned = events.filter(
    ({ type, initiator }) =>
      (type === "SaleCanceled" || type === "SalePartRefunded") && initiator === "platform",
  );
  const last = returned.at(-1);
  if (!last || refunds.length >= returned.length) return false;
  return now - Date.parse(last.recorded_at) < REFUND_REQUESTED_WITHIN_MS;
}
