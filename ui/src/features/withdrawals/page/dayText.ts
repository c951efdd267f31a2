// The name of a day of a withdrawal.
import type { TransferDay } from "../../../api/models";
import { businessDate } from "../../../format/dates";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";

/** "qui, 26/11/2026" */
export function dayText({ day }: Pick<TransferDay, "day">): string {
  return day ? businessDate(day, "ddd, DD/MM/YYYY") : withdrawalsStrings.composition.uncovered;
}
