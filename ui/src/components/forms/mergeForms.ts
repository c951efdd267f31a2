// Merges a form with the record that another user saved while the form was open. Fields that this user did not change
// take the saved values. Fields that both users changed, to different values, keep the typed value and are listed as
// conflicts.

/** The value of one field. A list is the values of a group of checkboxes, in any order. */
export type FieldValue = string | number | boolean | readonly string[] | undefined;
type Values = Readonly<Record<string, unknown>>;

/** How the notice of a merge names a form's fields and shows their values. */
export interface FieldTexts {
  label: (path: string[]) => string;
  /** `field` is the path with points: `others.credit.11`. */
  value: (field: string, value: FieldValue) => string;
  /** The fields whose list is one value. The items of other lists are fields of their own. */
  lists?: readonly string[];
}

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

/** The fields with their paths. */
function fieldsOf(value: unknown, lists: readonly string[], path: string[] = []): [string[], FieldValue][] {
  if (!isBranch(value) || lists.includes(path.join("."))) return [[path, value as FieldValue]];
  return Object.entries(value).flatMap(([key, part]) => fieldsOf(part, lists, [...path, key]));
}

const at = (values: unknown, path: string[]): FieldValue =>
  path.reduce<unknown>((value, key) => (isBranch(value) ? value[key] : undefined), values) as FieldValue;

function set(values: unknown, path: string[], value: FieldValue) {
  const branch = path.slice(0, -1).reduce<unknown>((part, key) => (part as Values)[key], values);
  (branch as Record<string, unknown>)[path.at(-1) ?? ""] = value;
}

function comparable(value: FieldValue) {
  if (typeof value === "string") return value.trim();
  return typeof value === "object" ? JSON.stringify([...value].sort()) : value;
}

/** Spaces at the ends of a text do not count. */
const same = (one: FieldValue, other: FieldValue) => comparable(one) === comparable(other);

/** `opened` is what the form began with, `saved` what the record has now. */
export function mergeForms<V extends object>(opened: V, typed: V, saved: V, texts: FieldTexts): Merge<V> {
  const values = structuredClone(typed);
  const taken: string[] = [];
  const conflicts: FieldConflict[] = [];
  for (const [path, theirs] of fieldsOf(saved, texts.lists ?? [])) {
    const [before, mine] = [at(opened, path), at(typed, path)];
    if (same(theirs, before) || same(theirs, mine)) continue;
    const label = texts.label(path);
    if (same(mine, before)) {
      set(values, path, theirs);
      taken.push(label);
    } else {
      const field = path.join(".");
      conflicts.push({ field, label, saved: texts.value(field, theirs), typed: texts.value(field, mine) });
    }
  }
  return { values, taken, conflicts };
}
