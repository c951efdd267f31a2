// Money while it is typed: digits push in from the right, so that "1", "12", "123" read R$ 0,01, R$ 0,12 and
// R$ 1,23. An amount that is pasted is read as it is written, and so is one that is set as a whole with a mark of its
// own: "1000" pasted is R$ 1.000,00. The value is integer cents at every moment.
import { money } from "./money";

export function shownCents(cents: number | undefined): string {
  return cents === undefined ? "" : money(cents);
}

export interface Typed {
  /** `undefined` is an empty field. */
  cents: number | undefined;
  /** False where the text is no amount: the one before stays, and the person is told. */
  numeric: boolean;
}

/** What a field that showed `previous` holds after its text became `text`. */
export function typedMoney(text: string, previous: number | undefined, pasted = false): Typed {
  const shown = shownCents(previous);
  const kept = { cents: previous, numeric: true };
  const exact = (cents: number) => (Number.isSafeInteger(cents) ? { cents, numeric: true } : kept);
  if (!pasted && isShortened(shown, text)) {
    const cents = Number(text.replace(/\D/g, ""));
    // The last digit that counts leaves the field empty rather than at "R$ 0,00".
    return cents === 0 ? { cents: undefined, numeric: true } : exact(cents);
  }
  const added = text.startsWith(shown) ? text.slice(shown.length) : text;
  if (added === "") return kept;
  if (!pasted && /^\d+$/.test(added)) return exact(Number(text.replace(/\D/g, "")));
  // A comma typed between the digits says where the mask puts it anyway.
  if (MARKS.test(added)) return kept;
  const written = writtenCents(added);
  return written === undefined ? { cents: previous, numeric: false } : exact(written);
}

const MARKS = /^[R$.,\s]*$/i;

/** Whether `text` is `shown` with one piece taken out, at its end or in its middle. */
function isShortened(shown: string, text: string): boolean {
  if (text.length >= shown.length) return false;
  let kept = 0;
  while (kept < text.length && text[kept] === shown[kept]) kept++;
  return shown.endsWith(text.slice(kept));
}

/** Reais, with groups of thousands or without; then a decimal mark and one or two digits. */
const BRAZILIAN = /^(\d+|\d{1,3}(?:\.\d{3})+)(?:,(\d{1,2})?)?$/;
/** Only with its decimal mark: "10,005" is neither. */
const ENGLISH = /^(\d+|\d{1,3}(?:,\d{3})+)\.(\d{1,2})$/;

/** "R$ 10" is ten reais, as "10,00", "10.00" and "1.234,56" are what they say. */
function writtenCents(text: string): number | undefined {
  const amount = text.replace(/^\s*R?\$/i, "").trim();
  const match = BRAZILIAN.exec(amount) ?? ENGLISH.exec(amount);
  if (!match) return undefined;
  const [, reais = "", cents = ""] = match;
  return Number(reais.replace(/\D/g, "")) * 100 + Number(cents.padEnd(2, "0"));
}
