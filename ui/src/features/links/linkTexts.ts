// How the notice of a merge names and shows the fields of a payment link.
import type { FieldTexts, FieldValue } from "../../components/forms/mergeForms";
import { businessDate, dateOfTyped } from "../../format/dates";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { linksStrings } from "../../strings/pt-BR.links";
import type { LinkValues } from "./linkValues";

const words = linksStrings.form;

const LABELS: Record<keyof LinkValues, string> = {
  kind: words.kind,
  description: words.description,
  amount: words.amount,
  amount_min: words.amountMin,
  amount_max: words.amountMax,
  payment_types: words.paymentTypes,
  installments_max: words.installmentsMax,
  payer: words.payer,
  expires_on: words.expiresOn,
  use_limit: words.useLimit,
};

export const linkTexts: FieldTexts = {
  label: ([field = ""]) => LABELS[field as keyof LinkValues] ?? field,
  value: valueText,
  lists: ["payment_types"],
};

function valueText(field: string, value: FieldValue): string {
  if (value === undefined || value === "") return strings.merge.empty;
  if (typeof value === "number") return money(value);
  if (typeof value === "object") {
    return value.map((type) => namedIn(linksStrings.paymentTypes, type)).join(", ");
  }
  const text = String(value);
  switch (field) {
    case "kind":
      return namedIn(words.kinds, text);
    case "payer":
      return namedIn(linksStrings.payers, text);
    case "installments_max":
      return words.installmentsUpTo(Number(text));
    case "expires_on":
      return shownDate(text);
    default:
      return text;
  }
}

const namedIn = (names: Readonly<Record<string, string>>, value: string) => names[value] ?? value;

function shownDate(typed: string): string {
  const date = dateOfTyped(typed);
  return date ? businessDate(date) : typed;
}
