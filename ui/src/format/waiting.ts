// Why a company cannot sell or withdraw yet, for its own users.
import type { SellerBusiness } from "../api/models";
import { waitingStrings } from "../strings/pt-BR.waiting";
import { lookUp } from "./lookUp";

const words = waitingStrings;

type Company = Pick<SellerBusiness, "approval" | "missing_documents" | "decision_reason">;

/** "Em análise: …, falta o contrato social."; undefined for an approved company. */
export function waitingText(company: Company): string | undefined {
  switch (company.approval) {
    case "enabled":
      return undefined;
    case "denied":
      return words.denied(sentence(company.decision_reason));
    case "deleted":
      return words.deleted(sentence(company.decision_reason));
    default:
      return words.pending(missingText(company.missing_documents));
  }
}

/** "faltam o documento de identidade e o contrato social" */
function missingText(kinds: readonly string[]): string {
  const names = kinds.map((kind) => lookUp(words.documents, kind) ?? kind);
  if (names.length === 0) return words.decisionMissing;
  if (names.length === 1) return words.oneMissing(names.join());
  return words.severalMissing(`${names.slice(0, -1).join(", ")} e ${names.at(-1)}`);
}

/** The reason with a full stop; empty if staff gave none. */
function sentence(reason: string | null): string {
  const text = reason?.trim() ?? "";
  return text === "" || /[.!?]$/.test(text) ? text : `${text}.`;
}
