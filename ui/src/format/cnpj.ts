// The check of a CNPJ, with or without letters. The gateway checks the same.
// https://www.gov.br/receitafederal (Instrução Normativa RFB 2.229/2024): a character counts as its code minus 48.

const LENGTH = 14;
/** The characters before the two check digits. */
const CHECKED = 12;

/** With or without punctuation. The two check digits are always numbers. */
export function isCnpj(text: string): boolean {
  const bare = text.replace(/[.\-/\s]/g, "").toUpperCase();
  if (bare.length !== LENGTH || !/^[0-9A-Z]{12}[0-9]{2}$/.test(bare)) return false;
  const values = [...bare].map((character) => character.charCodeAt(0) - 48);
  if (values.every((value) => value === values[0])) return false;
  return [CHECKED, CHECKED + 1].every((place) => checkDigit(values.slice(0, place)) === values[place]);
}

/** Modulo 11, with the weights 2 to 9 from the right. */
function checkDigit(values: readonly number[]): number {
  const sum = values.toReversed().reduce((total, value, place) => total + value * (2 + (place % 8)), 0);
  const remainder = sum % 11;
  return remainder < 2 ? 0 : 11 - remainder;
}
