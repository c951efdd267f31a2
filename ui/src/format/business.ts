// How a company's facts read: its approval, its name's label, the type of its bank account. And the states of
// Brazil, which every address names one of.
import { strings } from "../strings/pt-BR";

function lookUp(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

/** Anything that is no decision reads "Não definido". */
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
