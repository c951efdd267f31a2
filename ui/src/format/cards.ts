// Card numbers as they are typed: brand, length, check digit and groups. They stay in the browser: the platform never
// receives one.
import { asciiDigits } from "./mask";

/** Spelled as the API spells brands. */
export type TypedBrand =
  | "amex"
  | "diners"
  | "discover"
  | "elo"
  | "hiper"
  | "hipercard"
  | "jcb"
  | "mastercard"
  | "visa";

/** A prefix, or the first and last of prefixes of the same length. */
type Prefixes = readonly (string | readonly [string, string])[];

// The ranges of braintree's credit-card-type. Elo and Hipercard issue numbers inside those of Visa, Discover and
// Diners, so the order decides.
const BRANDS: readonly (readonly [TypedBrand, Prefixes])[] = [
  [
    "elo",
    [
      ["401178", "401179"],
      "431274",
      "438935",
      "451416",
      "457393",
      ["457631", "457632"],
      "504175",
      ["506699", "506778"],
      ["509000", "509999"],
      "627780",
      "636297",
      "636368",
      ["650031", "650033"],
      ["650035", "650051"],
      ["650405", "650439"],
      ["650485", "650538"],
      ["650541", "650598"],
      ["650700", "650718"],
      ["650720", "650727"],
      ["650901", "650978"],
      ["651652", "651679"],
      ["655000", "655019"],
      ["655021", "655058"],
    ],
  ],
  ["hipercard", ["606282", "3841"]],
  ["hiper", ["637095", "637568", "637599", "637609", "637612"]],
  ["amex", ["34", "37"]],
  ["visa", ["4"]],
  [
    "mastercard",
    [
      ["51", "55"],
      ["2221", "2720"],
    ],
  ],
  ["discover", ["6011", ["644", "649"], "65"]],
  ["diners", [["300", "305"], "36", "38", "39"]],
  ["jcb", ["1800", "2131", ["3528", "3589"]]],
];

const LENGTHS: Readonly<Record<TypedBrand, readonly number[]>> = {
  amex: [15],
  diners: [14, 16, 19],
  discover: [16, 19],
  elo: [16],
  hiper: [16],
  hipercard: [13, 16, 19],
  jcb: [16, 17, 18, 19],
  mastercard: [16],
  visa: [13, 16, 19],
};

/** The shortest number of a known brand. */
const LENGTH_MIN = 13;
/** ISO/IEC 7812-1 */
const LENGTH_MAX = 19;

/** The digits of a typed or pasted text. */
export const cardDigits = (text: string) => asciiDigits(text).slice(0, LENGTH_MAX);

/** The brand of a number that may be half typed; undefined if it begins with no known prefix. */
export function cardBrand(digits: string): TypedBrand | undefined {
  return BRANDS.find(([, prefixes]) => prefixes.some((prefix) => startsWith(digits, prefix)))?.[0];
}

function startsWith(digits: string, prefix: Prefixes[number]): boolean {
  const [first, last] = typeof prefix === "string" ? [prefix, prefix] : prefix;
  const begin = digits.slice(0, first.length);
  // Of texts of equal length, the order of texts is that of numbers.
  return begin.length === first.length && begin >= first && begin <= last;
}

/** ISO/IEC 7812-1, annex B: from the right, every second digit counts twice. */
export function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (const [place, character] of [...digits].reverse().entries()) {
    const value = Number(character) * (place % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return digits !== "" && sum % 10 === 0;
}

export type CardNumberError = "empty" | "incomplete" | "tooLong" | "wrong";

/** The fault of a number; undefined if it has none. An unknown brand is no fault. */
export function cardNumberError(digits: string): CardNumberError | undefined {
  if (digits === "") return "empty";
  const brand = cardBrand(digits);
  const lengths = brand ? LENGTHS[brand] : [LENGTH_MIN, LENGTH_MAX];
  if (digits.length < Math.min(...lengths)) return "incomplete";
  if (digits.length > Math.max(...lengths)) return "tooLong";
  if (brand && !lengths.includes(digits.length)) return "incomplete";
  return passesLuhn(digits) ? undefined : "wrong";
}

/** The number of digits of the security code: four on the front of an Amex, otherwise three. */
export const securityCodeLength = (brand: TypedBrand | undefined) => (brand === "amex" ? 4 : 3);

/** In groups: 4-6-5 for an Amex, otherwise by four. */
export function showCardNumber(digits: string): string {
  const sizes = cardBrand(digits) === "amex" ? [4, 6, 5, 4] : [4, 4, 4, 4, 3];
  let from = 0;
  const groups = sizes.map((size) => {
    from += size;
    return digits.slice(from - size, from);
  });
  return groups.filter((group) => group !== "").join(" ");
}

/** Reads a typed `MM/YY` or `MM/20YY`; undefined unless it is a month. */
export function cardExpiry(text: string): { month: number; year: number } | undefined {
  const [, month, year] = /^(\d{1,2})\s*\/?\s*(?:20)?(\d{2})$/.exec(text.trim()) ?? [];
  if (month === undefined || year === undefined) return undefined;
  const found = { month: Number(month), year: 2000 + Number(year) };
  return found.month >= 1 && found.month <= 12 ? found : undefined;
}

/** A card is valid until the end of its month. `today` is an ISO date. */
export function isExpired(expiry: { month: number; year: number }, today: string): boolean {
  const month = `${expiry.year}-${String(expiry.month).padStart(2, "0")}`;
  return month < today.slice(0, 7);
}
