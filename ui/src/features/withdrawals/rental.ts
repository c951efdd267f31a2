// Whether a terminal's rental can be canceled. The gateway checks again.
import type { Transfer } from "../../api/models";
import { ledgerStrings } from "../../strings/pt-BR.ledger";
import { APPROVED, TERMINAL_RENTAL } from "./transferCodes";

export const isRental = ({ kind }: Pick<Transfer, "kind">): boolean => kind === TERMINAL_RENTAL;

/** Why a rental cannot be canceled; undefined if it can. */
export function cancelDisabledReason({ status }: Pick<Transfer, "status">): string | undefined {
  return status === APPROVED ? undefined : ledgerStrings.rentalCancel.disabledReasons.status;
}
