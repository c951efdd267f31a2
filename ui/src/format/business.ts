// A company's approval and the type of its bank account as text, and the states of Brazil for addresses.
import { strings } from "../strings/pt-BR";
import { lookUp } from "./lookUp";

/** "Não definido" without a decision. */
export function approvalText(approval: string | null | undefined): string {
  return lookUp(strings.approval, approval ?? "") ?? strings.approvalUndefined;
}

export function accountTypeText(type: string): string {
  return lookUp(strings.accountTypes, type) ?? type;
}

/** The federation's 27 units, https://servicodados.ibge.gov.br/api/v1/localidades/estados */
export const STATES = [
  "AC",
  "AL",
  "AM",
  "AP",
  "BA",
  "CE",
  "DF",
  "ES",
  "GO",
  "MA",
  "MG",
  "MS",
  "MT",
  "PA",
  "PB",
  "PE",
  "PI",
  "PR",
  "RJ",
  "RN",
  "RO",
  "RR",
  "RS",
  "SC",
  "SE",
  "SP",
  "TO",
] as const;
