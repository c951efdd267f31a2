// Validates a CPF: 9 digits and 2 check digits. documents.ts formats it.

const LENGTH = 11;
/** Its check digits are right, but people type it to try a form. */
const SAMPLE = "12345678909";

/** Modulus 11 of the digits before it, with weights that rise from 2 at the right end. */
function checkDigit(digits: readonly number[]): number {
  const sum = digits.reduce((total, digit, place) => total + digit * (digits.length + 1 - place), 0);
  return ((sum * 10) % 11) % 10;
}

/** Punctuation is ignored. A number of one repeated digit and the well-known sample are invalid. */
export function isCpf(text: string): boolean {
  const bare = text.replace(/[.\-\s]/g, "");
  if (bare.length !== LENGTH || !/^\d+$/.test(bare)) return false;
  if (/^(\d)\1+$/.test(bare) || bare === SAMPLE) return false;
  const digits = [...bare].map(Number);
  return digits[9] === checkDigit(digits.slice(0, 9)) && digits[10] === checkDigit(digits.slice(0, 10));
}
