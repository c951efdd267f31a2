// What staff should look at before they pay a withdrawal.
import type { Transfer } from "../../api/models";
import { TransferSignal } from "../../api/words.json";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";

const words = withdrawalsStrings.queue.signals;

type Marked = Pick<Transfer, "signals" | "destination_changed_at" | "requester_access_at">;

/** The signals of the amount, with those of the destination and of the user. Empty for sellers. */
export function signalTexts({ signals, destination_changed_at, requester_access_at }: Marked): string[] {
  const marks = [
    destination_changed_at ? words.newDestination : undefined,
    requester_access_at ? words.newRequester : undefined,
  ];
  return [
    ...(signals ?? []).map((signal) => TransferSignal[signal]),
    ...marks.filter((mark) => mark !== undefined),
  ];
}
