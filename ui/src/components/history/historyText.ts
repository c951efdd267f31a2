// One entry of an audit log in Portuguese: the actor, the action, and each field before and after. A field or an
// action without a translation is shown under its own name.
import type { Author } from "../../api/models";
import { tenantTimeZone } from "../../api/panel";
import { authorText } from "../../format/author";
import { accountTypeText, approvalText } from "../../format/business";
import { businessDate, instant, type TimeZone } from "../../format/dates";
import { postalCode, taxId } from "../../format/documents";
import { lookUp } from "../../format/lookUp";
import { money } from "../../format/money";
import { brandName, paymentTypeName, solutionName } from "../../format/payment";
import { phone } from "../../format/phone";
import { zoneName } from "../../format/timeZones";
import { strings } from "../../strings/pt-BR";
import { historyStrings } from "../../strings/pt-BR.history";

const words = historyStrings.history;

type Fields = Readonly<Record<string, unknown>>;

/** The part of an audit log's entry that becomes text. */
export interface Entry {
  action: string;
  /** `is_subject`: the actor is the user whose record was changed. */
  actor: { kind: string; name?: string | null; is_subject: boolean };
  before?: unknown;
  after?: unknown;
}

/** The type of the record, which the sentence names. */
export type Subject = keyof typeof words.of;

export interface Change {
  field: string;
  label: string;
  /** Undefined if the entry has no value of the field, such as before a creation. */
  before: string | undefined;
  /** Undefined if the entry has no value of the field, such as after a deletion. */
  after: string | undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The body of a request is stored as `asked` or `made`. Its fields stand among the others. */
function flat({ asked, made, ...others }: Fields): Fields {
  return { ...others, ...fieldsOf(made), ...fieldsOf(asked) };
}

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The kinds of authors in lists, by the audit log's names of them. "seller" is the same in both. */
const AUTHORS: Readonly<Record<string, Author["kind"]>> = { admin: "staff", system: "automatic" };

export function actorText({ kind, name }: Entry["actor"]): string {
  return authorText({ kind: AUTHORS[kind] ?? "seller", name: name ?? null });
}

/**
 * "alterou o usuário", "deu acesso a Padaria como Operador": follows the actor's name. `named` follows the action:
 * "alterou a marca padrão".
 */
export function predicate({ action, before, after }: Entry, subject: Subject, named = ""): string {
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  switch (action) {
    case "grant-access":
      return words.access[action](valueText("business", is.business), roleOf(is));
    case "change-access":
      return words.access[action](
        valueText("business", is.business ?? was.business),
        roleOf(is),
        roleOf(was),
      );
    case "remove-access":
      return words.access[action](valueText("business", was.business));
    case "create":
    case "delete":
      return words.ofNamed(words.of[subject][action], named);
    case "update":
      return words.ofNamed(words.of[subject][switched(was, is) ?? action], named);
    default:
      return lookUp(words.actions, action) ?? action;
  }
}

const roleOf = (fields: Fields) => valueText("role", fields.role ?? fields.role_id);

/** The verb for a change of the active flag alone; undefined for any other change. */
function switched(before: Fields, after: Fields): "activate" | "deactivate" | undefined {
  if (Object.keys({ ...before, ...after }).join() !== "active") return undefined;
  return after.active === true ? "activate" : "deactivate";
}

const CPF_DIGITS = 11;

/** Fields that mean nothing to a reader. */
const HIDDEN_FIELDS: ReadonlySet<string> = new Set(["id", "session", "business_id", "version", "sha256"]);

const KNOWN = Object.keys(words.fields);
const place = (field: string) => (KNOWN.includes(field) ? KNOWN.indexOf(field) : KNOWN.length);

/** Fields before and after, in the order of `words.fields`; other fields come last. */
export function changesOf({ action, before, after }: Entry, zone: TimeZone = "UTC"): Change[] {
  if (action in words.access) return [];
  const [was, is] = [flat(fieldsOf(before)), flat(fieldsOf(after))];
  const both = { ...was, ...is };
  if (action === "update" && switched(was, is)) return [];
  return Object.keys(both)
    .filter((field) => !HIDDEN_FIELDS.has(field) && !(field === "role_id" && "role" in both))
    .toSorted((one, other) => place(one) - place(other))
    .map((field) => ({
      field,
      label: labelOf(field, both[field]),
      before: field in was ? valueText(field, was[field], zone) : undefined,
      after: field in is ? valueText(field, is[field], zone) : undefined,
    }));
}

/** A CPF has eleven digits; a longer document is a CNPJ. */
function labelOf(field: string, value: unknown): string {
  const name = field === "document" && String(value ?? "").length > CPF_DIGITS ? "cnpj" : field;
  return lookUp(words.fields, name) ?? feeLabel(name) ?? name;
}

/** `fees.elo.12` is "Elo 12x (%)", `mdr_debit_fee_others` "MDR débito, outras bandeiras (%)". */
function feeLabel(field: string): string | undefined {
  const [, brand = "", kind = ""] = /^fees\.(\w+)\.(\w+)$/.exec(field) ?? [];
  if (brand) return words.feeOf(brandName(brand), kind === "debit" ? words.bands.debit : `${kind}x`);
  const [, band = "", group = ""] = /^mdr_(\w+)_fee_(visamaster|others)$/.exec(field) ?? [];
  const [name, brands] = [lookUp(words.bands, band), lookUp(words.brandGroups, group)];
  return name && brands && words.mdrFeeOf(name, brands);
}

const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;
const INSTANT_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$/;

function valueText(field: string, value: unknown, zone: TimeZone = "UTC"): string {
  if (value === null && field === "time_zone") return strings.shell.timeZoneDefault(zoneName(tenantTimeZone));
  if (value === null && field === "acquirers") return words.inheritedOrder;
  if (value === null || value === undefined || value === "") return words.none;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (Array.isArray(value)) {
    const empty = field === "acquirers" ? words.noAcquirer : words.none;
    return value.map((each) => valueText(field, each, zone)).join(", ") || empty;
  }
  if (isFields(value)) return objectText(value);
  const text = String(value);
  switch (field) {
    case "recorded":
      return lookUp(words.events, text) ?? text;
    case "status":
      return lookUp(words.statuses, text) ?? text;
    case "kind":
      return lookUp(words.adjustmentKinds, text) ?? text;
    case "billing_type":
      return lookUp(words.billingTypes, text) ?? text;
    case "acquirers":
      return lookUp(words.acquirerNames, text) ?? text;
    case "payment_type":
      return paymentTypeName(text);
    case "acquisition":
      return lookUp(words.acquisitions, text) ?? text;
    // Amounts in cents.
    case "flat_rate":
    case "terminal_rental":
    case "two_approvals_above":
    case "credits_alone_up_to":
    case "removals_alone_up_to":
    case "releases_alone_up_to":
    case "plan_exceptions_alone_up_to":
    case "boleto_fee":
    case "rental_price":
    case "amount":
      return typeof value === "number" ? money(value) : text;
    case "pix_fee":
      // Cents for a fixed fee, otherwise a text in percent.
      return typeof value === "number" ? money(value) : `${text.replace(".", ",")}%`;
    case "percentage_rate":
      return text.replace(".", ",");
    case "document":
    case "representative_document":
      return taxId(text);
    case "postal_code":
      return postalCode(text);
    case "approval":
      return approvalText(text);
    case "solution":
      return solutionName(Number(text));
    case "document_kind":
    case "missing_documents":
    case "documents_of_pf":
    case "documents_of_pj":
      return lookUp(words.documentKinds, text) ?? text;
    case "logo":
      return words.set;
    case "type":
      return accountTypeText(text);
    case "phone":
    case "contact_phone":
    case "contact_whatsapp":
      return phone(text);
    case "role":
    case "role_id":
    case "roles":
      return lookUp(words.roleIds, text) ?? lookUp(strings.staffRoles, text) ?? text;
    case "state":
      return lookUp(words.contactStates, text) ?? text;
    case "theme":
      return lookUp(words.themes, text) ?? text;
    case "time_zone":
      return zoneName(text);
    default:
      if (feeLabel(field)) return text.replace(".", ",");
      if (DATE_PATTERN.test(text)) return businessDate(text);
      return INSTANT_PATTERN.test(text) ? instant(text, zone) : text;
  }
}

/** A company's name, with the role if it was recorded; otherwise the recorded value. */
function objectText(value: Fields): string {
  const name = value.business ?? value.name;
  if (typeof name !== "string") return JSON.stringify(value);
  return "role" in value || "role_id" in value ? words.inBusiness(name, roleOf(value)) : name;
}
