// A company's approval and the type of its bank account as text.
import { strings } from "../strings/pt-BR";
import { lookUp } from "./lookUp";

/** "Não definido" without a decision. */
export function approvalText(approval: string | null | undefined): string {
  return lookUp(strings.approval, approval ?? "") ?? strings.approvalUndefined;
}

export function accountTypeText(type: string): string {
  return lookUp(strings.accountTypes, type) ?? type;
}
