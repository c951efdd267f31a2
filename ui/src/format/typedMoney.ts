// Money while it is typed: digits push in from the right, so that "1", "12", "123" read R$ 0,01, R$ 0,12 and
// R$ 1,23. The value is integer cents at every moment.
import { money } from "./money";

export function shownCents(cents: number | undefined): string {
  return cents === undefined ? "" : money(cents);
}

/** The amount after the field's text became `text`; `undefined` is an empty field. */
export function typedCents(
  text: string,
  previous: number | undefined,
  max = Number.MAX_SAFE_INTEGER,
): number | undefined {
  const digits = text.replace(/\D/g, "");
  const cents = Number(digits);
  // Taking away the last digit that counts empties the field rather than leaving "R$ 0,00".
  const shortened = text.length < shownCents(previous).length;
  if (digits === "" || (cents === 0 && shortened)) return undefined;
  return cents > max || !Number.isSafeInteger(cents) ? previous : cents;
}
