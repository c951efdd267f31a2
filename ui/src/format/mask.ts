// What a mask is: how a field keeps its text, and how it shows it.

export interface Mask {
  /** Keeps the characters that the pattern can hold, at most as many as it has places ("#"). */
  clean: (text: string) => string;
  show: (clean: string) => string;
}

/** Fills the places ("#") of a pattern up to the last typed character. */
export function fill(pattern: string, clean: string): string {
  let next = 0;
  let shown = "";
  for (const place of pattern) {
    const character = clean[next];
    if (character === undefined) break;
    shown += place === "#" ? character : place;
    if (place === "#") next += 1;
  }
  return shown;
}

/** The digits of a text. Full-width digits, as some keyboards and files have them, count too. */
export const asciiDigits = (text: string) => text.normalize("NFKC").replace(/\D/g, "");
