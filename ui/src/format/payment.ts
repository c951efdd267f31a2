// The parts of a payment as text: type with installments, brand, solution, provider.
import { paymentStrings } from "../strings/pt-BR.payment";
import { lookUp } from "./lookUp";

const words = paymentStrings.payment;

/** "Crédito à vista", "Crédito 3x", "Débito", "PIX", "Boleto" */
export function paymentText(type: string, installments: number): string {
  switch (type) {
    case "credit":
    case "CREDIT_CARD":
      return installments > 1 ? words.creditInstallments(installments) : words.creditAtOnce;
    case "debit":
      return words.types.debit;
    case "pix":
    case "PIX":
      return words.types.pix;
    case "boleto":
    case "BOLETO":
      return words.types.boleto;
    default:
      return type;
  }
}

/** The type alone: "Crédito", whatever the installments are. */
export function paymentTypeName(type: string): string {
  return lookUp(words.types, type) ?? type;
}

/** "Parcelado 3x" or "à vista" */
export function installmentsText(installments: number): string {
  return installments > 1 ? words.split(installments) : words.atOnce;
}

export function brandName(brand: string): string {
  return lookUp(words.brands, brand) ?? brand;
}

/** The picture of a brand's card; an unknown brand has none. */
export function brandImage(brand: string): string | undefined {
  return Object.hasOwn(words.brands, brand) ? `/brands/${brand}.svg` : undefined;
}

/** A missing provider reads "N/A", an unknown one "#id". */
export function providerName(id: number | null | undefined): string {
  if (id === null || id === undefined) return words.noProvider;
  return lookUp(words.providers, String(id)) ?? `#${id}`;
}

export function solutionName(id: number): string {
  return lookUp(words.solutions, String(id)) ?? `#${id}`;
}
