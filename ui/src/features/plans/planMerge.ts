// Merges a form with the plan that another user saved while the form was open. Fields that this user did not change
// take the saved values. Fields that both users changed, to different values, keep the typed value and are listed as
// conflicts.
import { businessDate } from "../../format/dates";
import { money } from "../../format/money";
import { solutionName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.merge;

type Leaf = string | number | boolean | undefined;
type Values = Readonly<Record<string, unknown>>;

export interface FieldConflict {
  field: string;
  label: string;
  saved: string;
  typed: string;
}

export interface Merge<V> {
  values: V;
  /** The labels of the fields that took the saved value. */
  taken: string[];
  conflicts: FieldConflict[];
}

const isBranch = (value: unknown): value is Values => typeof value === "object" && value !== null;

/** The leaves by their path: `others.credit.11`. */
function leaves(value: unknown, path: string[] = []): [string[], Leaf][] {
  if (!isBranch(value)) return [[path, value as Leaf]];
  return Object.entries(value).flatMap(([key, part]) => leaves(part, [...path, key]));
}

const at = (values: unknown, path: string[]): Leaf =>
  path.reduce<unknown>((value, key) => (isBranch(value) ? value[key] : undefined), values) as Leaf;

function set(values: unknown, path: string[], leaf: Leaf) {
  const branch = path.slice(0, -1).reduce<unknown>((value, key) => (value as Values)[key], values);
  (branch as Record<string, unknown>)[path.at(-1) ?? ""] = leaf;
}

/** Spaces at the ends of a text do not count. */
const same = (one: Leaf, other: Leaf) =>
  (typeof one === "string" ? one.trim() : one) === (typeof other === "string" ? other.trim() : other);

/** `opened` is what the form began with, `saved` what the plan has now. */
export function mergeForms<V extends object>(opened: V, typed: V, saved: V): Merge<V> {
  const values = structuredClone(typed);
  const taken: string[] = [];
  const conflicts: FieldConflict[] = [];
  for (const [path, theirs] of leaves(saved)) {
    const [before, mine] = [at(opened, path), at(typed, path)];
    if (same(theirs, before) || same(theirs, mine)) continue;
    const label = fieldLabel(path);
    if (same(mine, before)) {
      set(values, path, theirs);
      taken.push(label);
    } else {
      const field = path.join(".");
      conflicts.push({ field, label, saved: valueText(field, theirs), typed: valueText(field, mine) });
    }
  }
  return { values, taken, conflicts };
}

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

function valueText(field: string, value: Leaf): string {
  if (value === undefined || value === "") return words.empty;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (typeof value === "number") return MONEY.includes(field) ? money(value) : String(value);
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
