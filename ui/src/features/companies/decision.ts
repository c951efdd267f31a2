// What a decision on a company needs, as the gateway's rule has it.
import * as z from "zod/mini";
import type { BusinessDetail } from "../../api/models";
import { companiesStrings } from "../../strings/pt-BR.companies";

const words = companiesStrings.company;

export type Decision = keyof typeof words.decide;

export const REASON_CHARS_MAX = 500;

type Company = Pick<BusinessDetail, "missing_documents" | "pending_decision">;

/** "documento de identidade e contrato social" */
export function documentNames(kinds: readonly string[]): string {
  const names = kinds.map((kind) =>
    companiesStrings.documents.kinds[kind as keyof typeof companiesStrings.documents.kinds].toLowerCase(),
  );
  return names.length > 1 ? `${names.slice(0, -1).join(", ")} e ${names.at(-1)}` : names.join("");
}

export function needsReason(decision: Decision, company: Company): boolean {
  return decision !== "enabled" || company.missing_documents.length > 0;
}

/** Why the user cannot approve the company; undefined if they can. */
export function approvalObstacle(company: Company, mayWaiveDocuments: boolean): string | undefined {
  if (company.pending_decision) return words.approveRequested;
  if (company.missing_documents.length === 0 || mayWaiveDocuments) return undefined;
  return words.approveBlocked(documentNames(company.missing_documents));
}

const reason = z.string().check(z.trim(), z.minLength(1, words.reasonRequired));

export const decisionSchema = (decision: Decision, company: Company) =>
  z.object({ reason: needsReason(decision, company) ? reason : z.string() });
