// The buyer's fields as they are typed, their check, and their shape in an order.
import { isCnpj } from "../src/format/cnpj";
import { isCpf } from "../src/format/cpf";
import { phoneFault } from "../src/format/phonePlan";
import { phoneFaults } from "../src/strings/pt-BR.phone";
import type { Address, Buyer } from "./contract";
import { words } from "./words";

export interface AddressFields {
  postal_code: string;
  street: string;
  number: string;
  complement: string;
  district: string;
  city: string;
  state: string;
}

/** Document, phone and postal code without punctuation. */
export interface BuyerFields {
  name: string;
  document: string;
  email: string;
  phone: string;
  address: AddressFields;
}

export const NO_BUYER: BuyerFields = {
  name: "",
  document: "",
  email: "",
  phone: "",
  address: { postal_code: "", street: "", number: "", complement: "", district: "", city: "", state: "" },
};

/** The longest texts that the gateway accepts. */
export const ADDRESS_LENGTHS = { number: 20, street: 120, complement: 60, district: 80, city: 80 } as const;

/** Messages by field: `card.…` for the typed card, any other by its name in the order's body. */
export type FieldErrors = Readonly<Record<string, string>>;

const CPF_LENGTH = 11;
/** Finds typing mistakes; the gateway checks more. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@.]+$/;

function nameError(name: string): string | undefined {
  if (name.trim() === "") return words.buyer.nameRequired;
  return /\S\s+\S/.test(name.trim()) ? undefined : words.buyer.nameIncomplete;
}

function documentError(text: string): string | undefined {
  if (text === "") return words.buyer.documentRequired;
  if (/^\d*$/.test(text) && text.length <= CPF_LENGTH) {
    return isCpf(text) ? undefined : words.buyer.cpfInvalid;
  }
  return isCnpj(text) ? undefined : words.buyer.cnpjInvalid;
}

function emailError(email: string): string | undefined {
  if (email.trim() === "") return words.buyer.emailRequired;
  return EMAIL.test(email.trim()) ? undefined : words.buyer.emailInvalid;
}

function phoneError(phone: string): string | undefined {
  if (phone === "") return words.buyer.phoneRequired;
  const fault = phoneFault(phone);
  return fault && phoneFaults[fault];
}

const OPTIONAL: readonly string[] = ["complement"];

function addressError(name: string, value: string): string | undefined {
  if (OPTIONAL.includes(name)) return undefined;
  if (value.trim() === "") return name === "state" ? words.address.stateRequired : words.address.required;
  return name === "postal_code" && value.length !== 8 ? words.address.postalCodeInvalid : undefined;
}

/** Leaves out the fields without an error. */
export function fieldErrors(found: Readonly<Record<string, string | undefined>>): FieldErrors {
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

export function addressErrors(address: AddressFields): FieldErrors {
  return fieldErrors(
    Object.fromEntries(
      Object.entries(address).map(([name, value]) => [`buyer.address.${name}`, addressError(name, value)]),
    ),
  );
}

export function buyerErrors(buyer: BuyerFields, needsAddress: boolean): FieldErrors {
  return fieldErrors({
    "buyer.name": nameError(buyer.name),
    "buyer.document": documentError(buyer.document),
    "buyer.email": emailError(buyer.email),
    "buyer.phone": phoneError(buyer.phone),
    ...(needsAddress && addressErrors(buyer.address)),
  });
}

const trimmed = (text: string) => text.trim().replace(/\s+/g, " ");

export function addressOf(typed: AddressFields): Address {
  return {
    postal_code: typed.postal_code,
    street: trimmed(typed.street),
    number: trimmed(typed.number),
    complement: trimmed(typed.complement) || null,
    district: trimmed(typed.district),
    city: trimmed(typed.city),
    state: typed.state,
  };
}

export function buyerOf(typed: BuyerFields, needsAddress: boolean): Buyer {
  return {
    name: trimmed(typed.name),
    document: typed.document,
    email: typed.email.trim(),
    phone: typed.phone,
    address: needsAddress ? addressOf(typed.address) : null,
  };
}
