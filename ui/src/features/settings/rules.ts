// The form of a rule: its values, its validation, the body that is sent, and the value as text.
import type { PlatformSetting } from "../../api/models";
import { schemaOf } from "../../components/forms/schemaOf";
import { BUSINESS_ZONE, instantOfTyped } from "../../format/dates";
import { money } from "../../format/money";
import { rulesStrings as words } from "../../strings/pt-BR.rules";

export type RuleKey = PlatformSetting["key"];
export type RuleValue = PlatformSetting["value"];

/** The rules that are a number of days, each with its smallest and largest value. */
const DAYS = { marked_destination_days: [0, 90], buyer_data_days: [180, 3653] } as const;

type DaysKey = keyof typeof DAYS;

/** The rules that are yes or no: whether a decision needs a second person. */
const FLAGS = ["two_person_plan_changes", "two_person_company_approvals"] as const;

type FlagKey = (typeof FLAGS)[number];

const isFlag = (key: RuleKey): key is FlagKey => (FLAGS as readonly RuleKey[]).includes(key);

/** The documents that the approval of a natural person or of a company can ask for. */
export const DOCUMENTS = {
  documents_of_pf: ["identity", "address"],
  documents_of_pj: ["identity", "address", "articles"],
} as const;

export type AskedDocument = (typeof DOCUMENTS)["documents_of_pj"][number];

type DocumentsKey = keyof typeof DOCUMENTS;

const isDocuments = (key: RuleKey): key is DocumentsKey => Object.hasOwn(DOCUMENTS, key);
/** The rules that are an amount above which two people are needed. Null: none is. */
const LIMITS = [
  "two_approvals_above",
  "credits_alone_up_to",
  "removals_alone_up_to",
  "releases_alone_up_to",
  "plan_exceptions_alone_up_to",
] as const;

export type LimitKey = (typeof LIMITS)[number];

export const isLimit = (key: RuleKey): key is LimitKey => (LIMITS as readonly RuleKey[]).includes(key);

const isInDays = (key: RuleKey): key is DaysKey => Object.hasOwn(DAYS, key);

export interface RuleValues {
  /** Cents of the rental or of the limit. */
  amount: number | undefined;
  /** Whether two approvals are never needed, or above `amount`. */
  limit: "never" | "above";
  /** The value of a rule that is yes or no. */
  flag: "true" | "false";
  days: string;
  documents: AskedDocument[];
  starts: "now" | "later";
  /** A business date. */
  valid_from: string;
}

/** "R$ 49,90", "Acima de R$ 5.000,00", "Sim", "7 dias", "Documento de identidade, Contrato social" */
export function ruleText(key: RuleKey, value: RuleValue): string {
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (Array.isArray(value)) {
    return value.map((kind) => words.documents[kind]).join(", ") || words.noDocument;
  }
  if (isLimit(key)) {
    const texts = words.limitTexts[key];
    return value === null ? texts.never : value === 0 ? texts.always : texts.limited(money(value));
  }
  // Only limits can be null.
  if (value === null) return "";
  return isInDays(key) ? words.days(value) : money(value);
}

/** The form starts from the scheduled value, if there is one. `dayOf` gives the business date of an instant. */
export function ruleValues(setting: PlatformSetting, dayOf: (instant: string) => string): RuleValues {
  const { value } = setting.scheduled ?? setting;
  const isDays = isInDays(setting.key);
  return {
    amount: typeof value === "number" && !isDays ? value : undefined,
    limit: value === null ? "never" : "above",
    flag: value === true ? "true" : "false",
    days: isDays ? String(value) : "",
    documents: Array.isArray(value) ? value : [],
    starts: setting.scheduled ? "later" : "now",
    valid_from: setting.scheduled ? dayOf(setting.scheduled.valid_from) : "",
  };
}

/** The value as the gateway takes it; undefined if the fields have none. */
function readValue(key: RuleKey, values: RuleValues): RuleValue | undefined {
  switch (key) {
    case "terminal_rental":
      return values.amount;
    case "two_approvals_above":
    case "credits_alone_up_to":
    case "removals_alone_up_to":
    case "releases_alone_up_to":
    case "plan_exceptions_alone_up_to":
      return values.limit === "never" ? null : values.amount;
    case "two_person_plan_changes":
    case "two_person_company_approvals":
    case "returned_withdrawal_fee":
      return values.flag === "true";
    case "documents_of_pf":
    case "documents_of_pj":
      return DOCUMENTS[key].filter((kind) => values.documents.includes(kind));
    case "marked_destination_days":
    case "buyer_data_days":
      return /^\d{1,4}$/.test(values.days.trim()) ? Number(values.days) : undefined;
  }
}

/** Whether more or fewer decisions need two people than now. The gateway compares in the same way. */
export function ruleShift(
  { key, value }: PlatformSetting,
  values: RuleValues,
): "tighter" | "looser" | "same" {
  const next = readValue(key, values);
  if (next === undefined || (!isFlag(key) && !isLimit(key))) return "same";
  const before = strictness(value);
  const after = strictness(next);
  return after > before ? "tighter" : after < before ? "looser" : "same";
}

/** Grows with the number of decisions that need two people. Null is the least strict: none needs two. */
function strictness(value: RuleValue): number {
  if (typeof value === "boolean") return Number(value);
  return typeof value !== "number" ? Number.NEGATIVE_INFINITY : -value;
}

/** The messages of the invalid fields. */
export function ruleErrors(key: RuleKey, values: RuleValues, today: string): Record<string, string> {
  const errors: Record<string, string> = {};
  const value = readValue(key, values);
  if (isInDays(key)) {
    const [from, to] = DAYS[key];
    const days = Number(value);
    if (value === undefined || days < from || days > to) errors.days = words.daysInvalid(from, to);
  } else if (value === undefined) errors.amount = words.required;
  else if (key === "terminal_rental" && value === 0) errors.amount = words.amountInvalid;
  if (values.starts === "later") {
    if (values.valid_from === "") errors.valid_from = words.required;
    else if (values.valid_from <= today) errors.valid_from = words.future;
  }
  return errors;
}

export const ruleSchema = (key: RuleKey, today: string) =>
  schemaOf((values: RuleValues) => ruleErrors(key, values, today));

/** The instant at which the business date begins; undefined if the text is not a date. */
function startOf(date: string): string | undefined {
  const [year = "", month = "", day = ""] = date.split("-");
  return instantOfTyped(`${day}${month}${year}0000`, BUSINESS_ZONE);
}

export function ruleBody({ key, revision }: PlatformSetting, values: RuleValues) {
  const valid_from = values.starts === "later" ? startOf(values.valid_from) : undefined;
  return { key, value: readValue(key, values) ?? null, revision, ...(valid_from && { valid_from }) };
}

/** The visible field of a rule's value. A refusal of the value is shown at it. */
export function valueField(key: RuleKey, { limit }: Pick<RuleValues, "limit">): keyof RuleValues {
  if (isInDays(key)) return "days";
  if (isFlag(key) || key === "returned_withdrawal_fee") return "flag";
  if (isDocuments(key)) return "documents";
  return isLimit(key) && limit === "never" ? "limit" : "amount";
}
