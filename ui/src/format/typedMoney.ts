// Money while it is typed: digits enter at the right, so that "1", "12", "123" become R$ 0,01, R$ 0,12 and R$ 1,23. A
// pasted amount is read as it is written: "1000" is R$ 1.000,00.
import { money } from "./money";

export function shownCents(cents: number | undefined): string {
  return cents === undefined ? "" : money(cents);
}

export interface Typed {
  /** `undefined` is an empty field. */
  cents: number | undefined;
  /** False if the text is not an amount: the previous one stays, with a message. */
  numeric: boolean;
}

/** The value of a field that showed `previous` after its text became `text`. */
export function typedMoney(text: string, previous: number | undefined, pasted = false): Typed {
  // Also turns full-width digits into ASCII, and the blanks of amounts into spaces.
  return typedAmount(text.normalize("NFKC"), previous, pasted);
}

function typedAmount(text: string, previous: number | undefined, pasted: boolean): Typed {
  const shown = shownCents(previous).normalize("NFKC");
  const kept = { cents: previous, numeric: true };
  const exact = (cents: number) => (Number.isSafeInteger(cents) ? { cents, numeric: true } : kept);
  if (!pasted && isShortened(shown, text)) {
    const cents = Number(text.replace(/\D/g, ""));
    // Deleting the last digit leaves an empty field, not "R$ 0,00".
    return cents === 0 ? { cents: undefined, numeric: true } : exact(cents);
  }
  const added = text.startsWith(shown) ? text.slice(shown.length) : text;
  if (added === "") return kept;
  if (!pasted && /^\d+$/.test(added)) return exact(Number(text.replace(/\D/g, "")));
  // Marks without a digit, such as a typed comma, change nothing.
  if (MARKS.test(added)) return kept;
  const written = writtenCents(added);
  return written === undefined ? { cents: previous, numeric: false } : exact(written);
}

const MARKS = /^[R$.,\s]*$/i;

/** Whether `text` is `shown` with one piece deleted. */
function isShortened(shown: string, text: string): boolean {
  if (text.length >= shown.length) return false;
  let kept = 0;
  while (kept < text.length && text[kept] === shown[kept]) kept++;
  return shown.endsWith(text.slice(kept));
}

/** Reais, with or without thousands separators; then an optional decimal mark, and at most two digits. */
const BRAZILIAN = /^(\d+|\d{1,3}(?:[. ]\d{3})+)(?:,(\d{1,2})?)?$/;
/** The decimals are required. Without them "10,005" would be ten thousand and five reais; it is refused. */
const ENGLISH = /^(\d+|\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/;

/** "R$ 10" is ten reais; "10,00", "10.00" and "1.234,56" are read as written. */
function writtenCents(text: string): number | undefined {
  const amount = text
    .replace(/^\s*(?:R?\$|BRL)/i, "")
    .replace(/R\$\s*$/i, "")
    .trim();
  const match = BRAZILIAN.exec(amount) ?? ENGLISH.exec(amount);
  if (!match) return undefined;
  const [, reais = "", cents = ""] = match;
  return Number(reais.replace(/\D/g, "")) * 100 + Number(cents.padEnd(2, "0"));
}
