// Banks as people look for them: by the name that they use, which the Central Bank's list often lacks ("nubank" is NU
// PAGAMENTOS), by words of the official name, or by the code.
import names from "../../../fixtures/bank_names.json";

export interface Bank {
  code: string;
  name: string;
}

const NAMES: Readonly<Record<string, readonly string[]>> = names;

/** Lower case, without accents. */
const folded = (text: string) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();

/** How well a bank fits a folded text; lower is better, undefined if it does not fit. */
function rank({ code, name }: Bank, typed: string): number | undefined {
  const used = NAMES[code] ?? [];
  if (code === typed || used.includes(typed)) return 0;
  if (used.some((one) => one.startsWith(typed))) return 1;
  const words = folded(`${code} ${name}`).split(/[^a-z0-9]+/);
  const terms = typed.split(/[^a-z0-9]+/).filter(Boolean);
  const fits = (term: string) =>
    words.some((word) => word.startsWith(term)) || used.some((one) => one.startsWith(term));
  return terms.length > 0 && terms.every(fits) ? 2 : undefined;
}

/** The banks that fit, those that are called so first. All banks for an empty text. */
export function findBanks<Found extends Bank>(banks: readonly Found[], text: string): Found[] {
  const typed = folded(text);
  if (typed === "") return [...banks];
  const ranked = banks.flatMap((bank) => {
    const found = rank(bank, typed);
    return found === undefined ? [] : [{ bank, found }];
  });
  return ranked.toSorted((one, other) => one.found - other.found).map(({ bank }) => bank);
}
