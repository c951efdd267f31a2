// How the notice of a merge names and shows the fields of a sales plan and of a receiving plan.
import type { FieldTexts, FieldValue } from "../../components/forms/mergeForms";
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { solutionName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.merge;
const common = strings.merge;

export const planTexts: FieldTexts = { label: fieldLabel, value: valueText };

function fieldLabel(path: string[]): string {
  const [first = "", kind = "", last = ""] = path;
  if (first !== "visamaster" && first !== "others") {
    return words.fields[first as keyof typeof words.fields] ?? first;
  }
  const group = words.groups[first];
  if (kind === "credit") return words.group(group, words.credit(`${Number(last) + 1}x`));
  if (kind === "debit" || last === "debit") return words.group(group, words.debit);
  if (last === "advance") return words.group(group, words.advance);
  return words.group(
    group,
    words.credit(plansStrings.bands[last as keyof typeof plansStrings.bands] ?? last),
  );
}

/** The fields in cents. */
const MONEY = ["flat_rate", "boleto_fee", "pix_amount"];

function valueText(field: string, value: FieldValue): string {
  if (value === undefined || value === "") return common.empty;
  if (typeof value === "boolean") return value ? common.yes : common.no;
  if (typeof value !== "string") return MONEY.includes(field) ? money(Number(value)) : String(value);
  switch (field) {
    case "mdr":
      return strings.feeTypes[value as "true" | "false"] ?? value;
    case "pix":
      return value === "fixed" ? plansStrings.form.pixFixedChoice : plansStrings.form.pixPercentChoice;
    case "starts":
      return value === "later" ? plansStrings.form.startsLater : plansStrings.form.startsNow;
    case "solution_id":
      return solutionName(Number(value));
    case "valid_from":
      return businessDate(value);
    default:
      return value;
  }
}
