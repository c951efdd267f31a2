// Whether a number is a person's in the federal register (CPF): 9 digits and 2 check digits. How it looks is the
// affair of documents.ts.

const LENGTH = 11;
/** Right by its digits, and the number that everyone types to try a form. */
const SAMPLE = "12345678909";

/** Modulus 11 over the digits before it, whose weights rise from 2 at the right end. */
function checkDigit(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, place) => total + digit * (digits.length + 1 - place), 0);
  return ((sum * 10) % 11) % 10;
}

/** Punctuation does not count; nor is a number of one repeated digit, or the well-known sample, anybody's. */
export function isCpf(text: string): boolean {
  const bare = text.replace(/[.\-\s]/g, "");
  if (bare.length !== LENGTH || !/^\d+$/.test(bare)) return false;
  if (/^(\d)\1+$/.test(bare) || bare === SAMPLE) return false;
  const digits = [...bare].map(Number);
  return digits[9] === checkDigit(digits.slice(0, 9)) && digits[10] === checkDigit(digits.slice(0, 10));
}
