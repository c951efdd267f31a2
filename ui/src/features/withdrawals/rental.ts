// Whether a terminal's rental can be canceled. The gateway decides again.
import type { Transfer } from "../../api/models";
import { ledgerStrings } from "../../strings/pt-BR.ledger";

const TERMINAL_RENTAL = 2;
const APPROVED = 1;

export const isRental = ({ kind }: Pick<Transfer, "kind">): boolean => kind === TERMINAL_RENTAL;

/** Why a rental cannot be canceled; undefined where it can. */
export function cannotCancel({ status }: Pick<Transfer, "status">): string | undefined {
  return status === APPROVED ? undefined : ledgerStrings.rentalCancel.disabledReasons.status;
}
