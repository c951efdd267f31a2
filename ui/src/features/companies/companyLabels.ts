// The labels of the fields, as the forms show them. The notice of a conflict names the fields by them.
import type { BusinessDetail } from "../../api/models";
import { companiesStrings } from "../../strings/pt-BR.companies";
import type { AddressValues, CompanyValues } from "./companyForm";

const company = companiesStrings.company;
const address = companiesStrings.address;

/** The id of the plan has no label: its name stands for it. */
export const companyLabels = (
  type: BusinessDetail["type"],
): Omit<Record<keyof CompanyValues, string>, "receiving_plan_id"> => ({
  name: company.name[type],
  statement_descriptor: company.descriptor,
  trade_name: company.tradeName,
  email: company.email,
  phone: company.phone,
  mcc: company.mcc,
  representative_name: company.representative,
  representative_document: company.representativeDocument,
  birth_date: company.birthDate,
  receiving_plan_name: company.receivingPlan,
});

export const ADDRESS_LABELS: Record<keyof AddressValues, string> = {
  address: address.address,
  number: address.number,
  complement: address.complement,
  reference: address.reference,
  neighborhood: address.neighborhood,
  city: address.city,
  state: address.state,
  postal_code: address.postalCode,
};
