// The forms about a company: their values, their validation, and the body of a change. The gateway validates them
// again.
import * as z from "zod/mini";
import type { BusinessAddress, BusinessDetail } from "../../api/models";
import { emailField, nameField } from "../../components/forms/personFields";
import { phoneField } from "../../components/forms/phoneField";
import { isCpf } from "../../format/cpf";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { personStrings } from "../../strings/pt-BR.person";

const company = companiesStrings.company;
const address = companiesStrings.address;
const account = companiesStrings.account;

/** Empty, or up to 22 letters, digits and spaces with at least one letter. */
export const descriptorField = z
  .string()
  .check(z.trim(), z.regex(/^(|(?=.*[A-Za-z])[A-Za-z0-9 ]{1,22})$/, company.descriptorInvalid));
export const optionalEmail = z.union([z.literal(""), emailField], { error: personStrings.emailInvalid });
export const mccField = z.string().check(z.regex(/^(|\d{4})$/, company.mccInvalid));
export const optionalCpf = z
  .string()
  .check(z.refine((document) => document === "" || isCpf(document), personStrings.cpfInvalid));

export const companySchema = z.object({
  name: nameField,
  statement_descriptor: descriptorField,
  trade_name: z.string(),
  email: optionalEmail,
  phone: phoneField,
  mcc: mccField,
  representative_name: z.string(),
  representative_document: optionalCpf,
  birth_date: z.string(),
  receiving_plan_id: z.string(),
  /** Shown in the form. It is not sent. */
  receiving_plan_name: z.string(),
});
export type CompanyValues = z.infer<typeof companySchema>;

export function companyValues(from: BusinessDetail): CompanyValues {
  return {
    name: from.name,
    statement_descriptor: from.statement_descriptor ?? "",
    trade_name: from.trade_name ?? "",
    email: from.email ?? "",
    phone: from.phone ?? "",
    mcc: from.mcc ?? "",
    representative_name: from.representative_name ?? "",
    representative_document: from.representative_document ?? "",
    birth_date: from.birth_date ?? "",
    receiving_plan_id: from.receiving_plan.id,
    receiving_plan_name: from.receiving_plan.description,
  };
}

/** Only the fields that the company's type has. */
export function companyBody(values: CompanyValues, { version, type, receiving_plan }: BusinessDetail) {
  const {
    representative_name,
    representative_document,
    birth_date,
    receiving_plan_id,
    receiving_plan_name: _,
    ...rest
  } = values;
  // A plan that has become inactive stays, as long as no other is chosen.
  const ofBothTypes = receiving_plan_id === receiving_plan.id ? rest : { ...rest, receiving_plan_id };
  return type === "PF"
    ? { version, ...ofBothTypes, birth_date }
    : { version, ...ofBothTypes, representative_name, representative_document };
}

const required = (message: string) => z.string().check(z.trim(), z.minLength(1, message));

export const addressSchema = z.object({
  address: required(address.required),
  number: z.string(),
  complement: z.string(),
  reference: z.string(),
  neighborhood: required(address.required),
  city: required(address.required),
  state: required(address.stateRequired),
  postal_code: z
    .string()
    .check(z.minLength(1, address.required), z.regex(/^(|\d{8})$/, address.postalCodeInvalid)),
});
export type AddressValues = z.infer<typeof addressSchema>;

export const NO_ADDRESS: AddressValues = {
  address: "",
  number: "",
  complement: "",
  reference: "",
  neighborhood: "",
  city: "",
  state: "",
  postal_code: "",
};

export function addressValues(from: BusinessAddress): AddressValues {
  const { address, neighborhood, city, state, postal_code } = from;
  return {
    address,
    number: from.number ?? "",
    complement: from.complement ?? "",
    reference: from.reference ?? "",
    neighborhood,
    city,
    state,
    postal_code,
  };
}

const digits = (max: number, message: string) =>
  z
    .string()
    .check(z.trim(), z.minLength(1, account.required), z.regex(new RegExp(`^\\d{0,${max}}$`), message));
const checkDigit = z.string().check(z.trim(), z.regex(/^[0-9A-Za-z]{0,2}$/, account.digitInvalid));

export const accountSchema = z.object({
  bank_code: required(account.bankRequired),
  type: required(account.typeRequired),
  routing_number: digits(4, account.routingInvalid),
  routing_digit: checkDigit,
  account_number: digits(19, account.accountInvalid),
  account_digit: z
    .string()
    .check(z.trim(), z.minLength(1, account.required), z.regex(/^[0-9A-Za-z]{0,2}$/, account.digitInvalid)),
});
export type AccountValues = z.infer<typeof accountSchema>;

export const NO_ACCOUNT: AccountValues = {
  bank_code: "",
  type: "",
  routing_number: "",
  routing_digit: "",
  account_number: "",
  account_digit: "",
};
