// The staff's actions on a withdrawal, and why an action is disabled. The gateway checks again.
import type { Transfer } from "../../api/models";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { APPROVED, FAILED, PENDING, PROCESSING, REFUSED, WITHDRAWAL } from "./transferCodes";

export const ACTIONS = ["approve", "process", "refuse", "fail", "pending"] as const;
export type Action = (typeof ACTIONS)[number];

/** The actions that need a reason. The seller sees it. */
export const NEEDS_REASON: ReadonlySet<Action> = new Set(["refuse", "fail"]);
/** The actions that have a red button. */
export const DANGEROUS: ReadonlySet<Action> = new Set(["refuse", "fail"]);

const words = withdrawalsStrings.queue.disabledReasons;

type State = Pick<Transfer, "kind" | "status" | "by_hand" | "fee_given_back">;

/** Whether the bank gave back what it had paid. */
export const isReturned = ({ fee_given_back }: Pick<Transfer, "fee_given_back">) => fee_given_back !== null;

/** Why `action` is disabled; undefined if it is not. */
export function disabledReason(action: Action, transfer: State): string | undefined {
  const { kind, status, by_hand } = transfer;
  if (kind !== WITHDRAWAL) return words.notWithdrawal;
  if (isReturned(transfer)) return words.returned;
  if (status === APPROVED || status === REFUSED) return words.final;
  if (status === PROCESSING && !by_hand) return words.atBank;
  switch (action) {
    case "approve":
      return status === FAILED ? words.failed : undefined;
    case "process":
    case "refuse":
      return { [PENDING]: undefined, [PROCESSING]: words.processing, [FAILED]: words.failed }[status];
    case "fail":
      return { [PENDING]: words.notProcessing, [PROCESSING]: undefined, [FAILED]: words.failed }[status];
    case "pending":
      return status === PENDING ? words.pending : undefined;
  }
}

/** Why the bank's return of the transfer cannot be recorded; undefined if it can. */
export function returnDisabledReason(
  transfer: Pick<Transfer, "kind" | "status" | "net_amount" | "fee_given_back">,
): string | undefined {
  if (transfer.kind !== WITHDRAWAL) return words.notWithdrawal;
  if (isReturned(transfer)) return words.returned;
  if (transfer.status !== APPROVED) return withdrawalsStrings.returned.notPaid;
  return transfer.net_amount === 0 ? withdrawalsStrings.returned.nothingPaid : undefined;
}

/** Why no selected withdrawal allows `action`; undefined if one does. */
export function commonDisabledReason(action: Action, transfers: readonly State[]): string | undefined {
  const reasons = transfers.map((transfer) => disabledReason(action, transfer));
  return reasons.includes(undefined) ? undefined : [...new Set(reasons)].join(" ");
}
