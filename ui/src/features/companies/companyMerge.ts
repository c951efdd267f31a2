// Merges a form with the company that another user saved while the form was open. Without the merge, the next save
// would undo that user's change of each field that this user did not touch.
import { businessDate } from "../../format/dates";
import { postalCode, taxId } from "../../format/documents";
import { phone } from "../../format/phone";
import { companiesStrings } from "../../strings/pt-BR.companies";

const words = companiesStrings.conflict;

export interface Merge<V> {
  values: V;
  /** The fields that took the saved value. */
  taken: (keyof V & string)[];
  /** The fields that both users changed, to different values. They keep the typed one. */
  kept: (keyof V & string)[];
}

/** `opened` is what the form began with, `saved` what the company has now. Spaces at the ends do not count. */
export function mergeTexts<V extends { [Field in keyof V]: string }>(
  opened: V,
  typed: V,
  saved: V,
): Merge<V> {
  const merge: Merge<V> = { values: { ...typed }, taken: [], kept: [] };
  for (const field of Object.keys(saved) as (keyof V & string)[]) {
    const [before, mine, theirs] = [opened[field].trim(), typed[field].trim(), saved[field].trim()];
    if (theirs === before || theirs === mine) continue;
    if (mine === before) {
      merge.values[field] = saved[field];
      merge.taken.push(field);
    } else {
      merge.kept.push(field);
    }
  }
  return merge;
}

/** Whether one of `saved` holds the typed texts. */
export function hasSame<V extends { [Field in keyof V]: string }>(saved: readonly V[], typed: V): boolean {
  const fields = Object.keys(typed) as (keyof V)[];
  return saved.some((each) => fields.every((field) => each[field].trim() === typed[field].trim()));
}

/** How the screen shows the fields whose values are bare. */
const SHOWN: Readonly<Record<string, (value: string) => string>> = {
  phone,
  representative_document: taxId,
  postal_code: postalCode,
  birth_date: (date) => businessDate(date),
};

/** A field without a label, such as an id, is left out. */
export function noticeOf<V extends { [Field in keyof V]: string }>(
  { taken, kept }: Merge<V>,
  saved: V,
  labels: { readonly [Field in keyof V]?: string },
): string {
  const named = (field: keyof V) => labels[field] ?? [];
  const conflicts = kept.flatMap((field) => {
    const value = saved[field] && (SHOWN[field]?.(saved[field]) ?? saved[field]);
    const label = labels[field];
    return label ? words.now(label, value || words.empty) : [];
  });
  const takenLabels = taken.flatMap(named);
  return [
    words.changed,
    takenLabels.length > 0 && words.taken(takenLabels.join(", ")),
    conflicts.length > 0 && words.kept(conflicts.join(", ")),
    words.again,
  ]
    .filter(Boolean)
    .join(" ");
}
