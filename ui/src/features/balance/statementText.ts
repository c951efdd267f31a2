// The texts of a line of a statement: its kind, its description, and its sale.
import type { BalanceMovement } from "../../api/models";
import { brandName } from "../../format/payment";
import { shortCode } from "../../format/text";
import { balanceStrings } from "../../strings/pt-BR.balance";

const words = balanceStrings.statement;
const KIND_NAMES: Readonly<Record<number, string>> = balanceStrings.movementKind;
const MOVEMENT_NAMES: Readonly<Record<string, string>> = balanceStrings.movement;

/** The movement's own name if it has one, else the name of its kind: a kind contains several movements. */
export function kindText({ kind, movement }: Pick<BalanceMovement, "kind" | "movement">): string {
  return MOVEMENT_NAMES[movement] ?? KIND_NAMES[kind] ?? `#${kind}`;
}

export function descriptionText({
  description,
  installment,
}: Pick<BalanceMovement, "description" | "installment">): string {
  if (installment === null || installment === undefined) return description;
  return description.includes(String(installment))
    ? description
    : `${description} (${words.installment(installment)})`;
}

/** Distinguishes lines with the same description: the card's brand, the installment and the sale. */
export function saleText({ sale_id, installment, card_brand, description }: BalanceMovement): string {
  if (!sale_id) return "";
  return [
    card_brand && brandName(card_brand),
    installment && !description.includes(String(installment)) && words.installment(installment),
    shortCode(sale_id),
  ]
    .filter(Boolean)
    .join(" · ");
}
