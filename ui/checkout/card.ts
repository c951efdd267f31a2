// The card's fields as they are typed, and their check. They live in the page's memory alone.
import {
  cardBrand,
  cardExpiry,
  cardNumberError,
  isExpired,
  securityCodeLength,
  type TypedBrand,
} from "../src/format/cards";
import { asciiDigits } from "../src/format/mask";
import { type FieldErrors, fieldErrors } from "./buyer";
import type { Installments, Prices } from "./contract";
import { commonInstallments, installmentsOf } from "./prices";
import type { CardData } from "./tokens";
import { words } from "./words";

export interface CardFields {
  /** Digits only, like the expiry (MMYY) and the security code. */
  number: string;
  expiry: string;
  securityCode: string;
  holder: string;
  installments: number;
  /** The brand of this number by the acquirer, which counts more than the one by its first digits. */
  told?: { number: string; brand: TypedBrand };
}

export const NO_CARD: CardFields = { number: "", expiry: "", securityCode: "", holder: "", installments: 1 };

const CENTURY = "20";

/** MMYY, or the part that is typed so far. Some browsers fill in a year of four digits. */
export function expiryDigits(text: string): string {
  const [, isoYear, isoMonth] = /^\s*(20\d{2})-(\d{2})\s*$/.exec(text) ?? [];
  const digits = isoYear && isoMonth ? isoMonth + isoYear : asciiDigits(text);
  // A month of one digit gets a zero: "8" and "1/" can only be August and January.
  const padded = /^[2-9]/.test(digits) || /^\s*1\s*\//.test(text) ? `0${digits}` : digits;
  const isLong = padded.length === 6 && padded.slice(2, 4) === CENTURY;
  return isLong ? padded.slice(0, 2) + padded.slice(4) : padded.slice(0, 4);
}

export const showExpiry = (digits: string) =>
  digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;

export function brandOf(card: CardFields): TypedBrand | undefined {
  return card.told?.number === card.number ? card.told.brand : cardBrand(card.number);
}

/** The card after a refusal that names its brand. The page then shows that brand's prices. */
export function withBrand(card: CardFields, brand: string | undefined): CardFields {
  if (!brand || !Object.hasOwn(words.card.brands, brand)) return card;
  return { ...card, told: { number: card.number, brand: brand as TypedBrand } };
}

/** Undefined without prices, for a brand that is not taken, and before the brand is known if prices depend on it. */
export function choicesOf(prices: Prices | null, card: CardFields): readonly Installments[] | undefined {
  const brand = brandOf(card);
  return brand ? installmentsOf(prices, brand) : commonInstallments(prices);
}

/** The chosen installments, or the first if they are not offered: another brand may offer fewer. */
export function chosenInstallments(prices: Prices | null, card: CardFields): Installments | undefined {
  const choices = choicesOf(prices, card);
  return choices?.find(({ count }) => count === card.installments) ?? choices?.[0];
}

function numberError(card: CardFields, prices: Prices | null): string | undefined {
  const error = cardNumberError(card.number);
  if (error) return words.card.numberErrors[error];
  const brand = brandOf(card);
  if (!brand) return words.card.brandUnknown;
  return installmentsOf(prices, brand) ? undefined : words.card.brandNotTaken(words.card.brands[brand]);
}

/** A brand that the seller does not take is known after a few digits. */
export function earlyNumberError(card: CardFields, prices: Prices | null): string | undefined {
  const brand = brandOf(card);
  if (!brand || !prices || installmentsOf(prices, brand)) return undefined;
  return words.card.brandNotTaken(words.card.brands[brand]);
}

function expiryError(digits: string, today: string): string | undefined {
  const expiry = cardExpiry(showExpiry(digits));
  if (!expiry) return words.card.expiryInvalid;
  return isExpired(expiry, today) ? words.card.expired : undefined;
}

export function cardErrors(card: CardFields, prices: Prices | null, today: string): FieldErrors {
  const codeLength = securityCodeLength(brandOf(card));
  return fieldErrors({
    "card.number": numberError(card, prices),
    "card.expiry": expiryError(card.expiry, today),
    "card.code": card.securityCode.length === codeLength ? undefined : words.card.codeInvalid(codeLength),
    "card.holder": card.holder.trim() === "" ? words.card.holderRequired : undefined,
  });
}

/** For the acquirer. Only of fields without errors. */
export function cardDataOf(card: CardFields): CardData {
  const { month, year } = cardExpiry(showExpiry(card.expiry)) ?? { month: 0, year: 0 };
  return { number: card.number, holder: card.holder.trim(), month, year, securityCode: card.securityCode };
}
