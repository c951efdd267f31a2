// The name of a credit of a withdrawal.
import type { TransferCredit } from "../../../api/models";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";

const words = withdrawalsStrings.composition;

/** "Parcela 1 de 2", "Reserva da parcela 1 de 2", or the movement that is no installment. */
export function creditName({ movement, installment }: TransferCredit): string {
  if (!movement) return words.uncovered;
  if (!installment || !movement.installment) return movement.description;
  const name = movement.movement === "reserve_released" ? words.reserveOf : words.installment;
  return name(movement.installment, installment.installments);
}
