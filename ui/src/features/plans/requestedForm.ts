// The form of a requested change of a sales plan, from the changed fields that it lists: its impact is asked with it.
import type { FeeEntry, PlanForm } from "../../api/models";

const FEE = /^fees\.([^.]+)\.(debit|\d+)$/;
/** When the change would start, and its number, do not change what it costs. */
const NO_TERMS: ReadonlySet<string> = new Set(["version", "valid_from"]);

/** A form has all fees of cards or none, so those that stay come from the plan. */
export function requestedForm(after: Readonly<Record<string, unknown>>, fees: readonly FeeEntry[]): PlanForm {
  const changed = Object.entries(after).flatMap(([field, percent]) => {
    const [, brand, kind] = FEE.exec(field) ?? [];
    return brand && kind ? [feeOf(brand, kind, String(percent))] : [];
  });
  const others = Object.entries(after).filter(([field]) => !FEE.test(field) && !NO_TERMS.has(field));
  // The gateway listed them under the names that its form has.
  const form: PlanForm = Object.fromEntries(others);
  if (changed.length === 0) return form;
  const all = new Map([...fees, ...changed].map((fee) => [keyOf(fee), fee]));
  return { ...form, fees: [...all.values()] };
}

function feeOf(card_brand: string, kind: string, percent_amount: string): FeeEntry {
  return kind === "debit"
    ? { card_brand, payment_type: "debit", number_installments: 1, percent_amount }
    : { card_brand, payment_type: "credit", number_installments: Number(kind), percent_amount };
}

const keyOf = ({ card_brand, payment_type, number_installments }: FeeEntry) =>
  `${card_brand} ${payment_type} ${number_installments}`;
