// Brazilian telephone numbers while they are typed or pasted. The gateway reads the same plan of numbers.
import { area_codes, landline, mobile, non_geographic } from "../../../fixtures/phones.json";
import { asciiDigits, type Mask } from "./mask";
import { showPhone } from "./phone";

const COUNTRY = "55";
/** Of an area code and a number. */
const [LENGTH_MIN, LENGTH_MAX] = [10, 11];
/** Enough to tell a number with another country's code. */
const FOREIGN_LENGTH_MAX = 15;
/** Dialed before an area code: 0 15 11 98765-4321. */
const CARRIER_LENGTH = 2;

export type PhoneFault = "foreign" | "incomplete" | "areaCode" | "number" | "nonGeographic";

const isNonGeographic = (digits: string) => non_geographic.some((code) => digits.startsWith(code));

const mayBecomeNonGeographic = (digits: string) =>
  non_geographic.some((code) => digits.startsWith(code) || code.startsWith(digits));

function faultOfGeographic(digits: string): PhoneFault | undefined {
  if (digits.length < LENGTH_MIN || digits.length > LENGTH_MAX) return "incomplete";
  if (!area_codes.includes(digits.slice(0, 2))) return "areaCode";
  const number = digits.slice(2);
  const fits = [landline, mobile].some(
    ({ first_digits, length }) => number.length === length && first_digits.includes(number.charAt(0)),
  );
  return fits ? undefined : "number";
}

/** The fault of a cleaned number; undefined if it has none. A company may have an 0800. */
export function phoneFault(clean: string, takesNonGeographic = false): PhoneFault | undefined {
  if (/^(\+|00)/.test(clean)) return "foreign";
  if (!isNonGeographic(clean)) return faultOfGeographic(clean);
  if (!takesNonGeographic) return "nonGeographic";
  return clean.length < LENGTH_MIN ? "incomplete" : undefined;
}

/** The number without what is dialed or written before the area code. */
function cleanPhone(text: string): string {
  const digits = asciiDigits(text);
  if (/^[\s(]*\+/.test(text.normalize("NFKC"))) return cleanInternational("+", digits);
  if (digits.startsWith("00")) return cleanInternational("00", digits.slice(2));
  if (digits.startsWith("0")) {
    if (mayBecomeNonGeographic(digits)) return digits.slice(0, LENGTH_MAX);
    const dialed = digits.slice(1);
    const from = dialed.length >= CARRIER_LENGTH + LENGTH_MIN ? CARRIER_LENGTH : 0;
    return dialed.slice(from, from + LENGTH_MAX);
  }
  return cleanNational(digits);
}

/** Keeps what was typed until the country is known. */
function cleanInternational(prefix: string, digits: string): string {
  const isBrazilian = digits.startsWith(COUNTRY) && digits.length > COUNTRY.length;
  if (!isBrazilian) return prefix + digits.slice(0, FOREIGN_LENGTH_MAX);
  return digits.slice(COUNTRY.length).replace(/^0/, "").slice(0, LENGTH_MAX);
}

function cleanNational(digits: string): string {
  const first = digits.slice(0, LENGTH_MAX);
  if (digits.length <= LENGTH_MAX || !digits.startsWith(COUNTRY)) return first;
  const rest = digits.slice(COUNTRY.length, COUNTRY.length + LENGTH_MAX);
  // Twelve digits that begin with the area code 55 and a whole number wait for a thirteenth: it may be the country.
  const isUndecided = digits.length === LENGTH_MAX + 1 && !faultOfGeographic(first);
  return isUndecided ? digits : rest;
}

export const phoneMask: Mask = { clean: cleanPhone, show: showPhone };
