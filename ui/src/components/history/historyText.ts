// One entry of a record's trail in plain Portuguese: who, what they did, and each field before and after. It reads
// entries of any record; a field or an action that it has no words for is shown under its own name.
import type { Author } from "../../api/models";
import { tenantTimeZone } from "../../api/panel";
import { authorText } from "../../format/author";
import { instant, type TimeZone } from "../../format/dates";
import { phone, taxId } from "../../format/documents";
import { zoneName } from "../../format/timeZones";
import { strings } from "../../strings/pt-BR";
import { historyStrings } from "../../strings/pt-BR.history";

const words = historyStrings.history;

type Fields = Readonly<Record<string, unknown>>;

/** What the wording needs of an entry. */
export interface Entry {
  action: string;
  actor: { kind: string; name?: string | null; is_subject: boolean };
  before?: unknown;
  after?: unknown;
}

/** What the record is: its name stands in the sentence. */
export type Subject = keyof typeof words.of;

export interface Change {
  field: string;
  label: string;
  /** Absent where there was nothing before, or is nothing after. */
  before: string | undefined;
  after: string | undefined;
}

function lookUp(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {});

/** The trail's own names of those whom every other list has as authors. */
const AUTHORS: Readonly<Record<string, Author["kind"]>> = { admin: "staff", system: "automatic" };

export function actorText({ kind, name }: Entry["actor"]): string {
  return authorText({ kind: AUTHORS[kind] ?? "seller", name: name ?? null });
}

/**
 * "alterou o usuário", "deu acesso a Padaria como Operador": said after the actor's name. A list of several records
 * tells which one it is of.
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

/** A change of the one flag that lets somebody in has a word of its own. */
function switched(before: Fields, after: Fields): "activate" | "deactivate" | undefined {
  if (Object.keys({ ...before, ...after }).join() !== "active") return undefined;
  return after.active === true ? "activate" : "deactivate";
}

/** Names of places, said in the sentence already or of no use to a reader. */
const UNSAID: ReadonlySet<string> = new Set(["id", "session", "business_id"]);

const KNOWN = Object.keys(words.fields);
const place = (field: string) => (KNOWN.includes(field) ? KNOWN.indexOf(field) : KNOWN.length);

/** Fields before and after, in the order of their words: a record's name comes first. */
export function changesOf({ action, before, after }: Entry, zone: TimeZone = "UTC"): Change[] {
  if (action in words.access) return [];
  const [was, is] = [fieldsOf(before), fieldsOf(after)];
  const both = { ...was, ...is };
  if (action === "update" && switched(was, is)) return [];
  return Object.keys(both)
    .filter((field) => !UNSAID.has(field) && !(field === "role_id" && "role" in both))
    .toSorted((one, other) => place(one) - place(other))
    .map((field) => ({
      field,
      label: lookUp(words.fields, field) ?? field,
      before: field in was ? valueText(field, was[field], zone) : undefined,
      after: field in is ? valueText(field, is[field], zone) : undefined,
    }));
}

const AN_INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|\+00:00)$/;

function valueText(field: string, value: unknown, zone: TimeZone = "UTC"): string {
  if (value === null && field === "time_zone") return strings.shell.timeZoneDefault(zoneName(tenantTimeZone));
  if (value === null || value === undefined || value === "") return words.none;
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (Array.isArray(value)) {
    return value.map((each) => valueText(field, each, zone)).join(", ") || words.none;
  }
  if (isFields(value)) return objectText(value);
  const text = String(value);
  switch (field) {
    case "document":
      return taxId(text);
    case "contact_phone":
    case "contact_whatsapp":
      return phone(text);
    case "role":
    case "role_id":
    case "roles":
      return lookUp(words.roleIds, text) ?? lookUp(strings.staffRoles, text) ?? text;
    case "theme":
      return lookUp(words.themes, text) ?? text;
    case "time_zone":
      return zoneName(text);
    default:
      return AN_INSTANT.test(text) ? instant(text, zone) : text;
  }
}

/** An access that was recorded with its company, or a company by its name; otherwise as it was recorded. */
function objectText(value: Fields): string {
  const name = value.business ?? value.name;
  if (typeof name !== "string") return JSON.stringify(value);
  return "role" in value || "role_id" in value ? words.inBusiness(name, roleOf(value)) : name;
}
