// Builds the API's plan form from a requested change of a sales plan. The impact is computed from that form.
import type { FeeEntry, PlanForm } from "../../api/models";

/** A card fee in a change: `fees.visa.debit`, or `fees.visa.12` for credit in 12 installments. */
const FEE = /^fees\.([^.]+)\.(debit|\d+)$/;
/** The number and the start of the new version. They are not terms, so they do not change the impact. */
const NO_TERMS: ReadonlySet<string> = new Set(["version", "valid_from"]);

/**
 * `after` has the changed fields, and `fees` all card fees of the plan. A form has all card fees or none, so `fees`
 * gives the unchanged ones.
 */
export function requestedForm(after: Readonly<Record<string, unknown>>, fees: readonly FeeEntry[]): PlanForm {
  const changed = Object.entries(after).flatMap(([field, percent]) => {
    const [, brand, kind] = FEE.exec(field) ?? [];
    return brand && kind ? [feeOf(brand, kind, String(percent))] : [];
  });
  const others = Object.entries(after).filter(([field]) => !FEE.test(field) && !NO_TERMS.has(field));
  // The other fields have the same names in the change and in the form.
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
