import { expect, it } from "vitest";
import { approvalObstacle, decisionSchema, documentNames, needsReason } from "./decision";

const company = (missing_documents: string[]) => ({ missing_documents, pending_decision: null });

it.each([
  [[], ""],
  [["articles"], "contrato social"],
  [["identity", "address", "articles"], "documento de identidade, comprovante de endereço e contrato social"],
])("names %j", (kinds, text) => expect(documentNames(kinds)).toBe(text));

it("asks for a reason to deny, to delete, and to approve without documents", () => {
  expect(needsReason("enabled", company([]))).toBe(false);
  expect(needsReason("enabled", company(["articles"]))).toBe(true);
  expect(needsReason("denied", company([]))).toBe(true);
  expect(needsReason("deleted", company([]))).toBe(true);
  const denied = decisionSchema("denied", company([]));
  expect(denied.safeParse({ reason: "  " }).error?.issues[0]?.message).toBe("Informe o motivo.");
  expect(denied.safeParse({ reason: "Fraude." }).success).toBe(true);
  expect(decisionSchema("enabled", company([])).safeParse({ reason: "" }).success).toBe(true);
});

it("says before the click why the user cannot approve", () => {
  expect(approvalObstacle(company([]), false)).toBeUndefined();
  expect(approvalObstacle(company(["articles"]), true)).toBeUndefined();
  expect(approvalObstacle(company(["articles"]), false)).toBe(
    "Faltam documentos: contrato social. Só um proprietário ou administrador aprova sem eles.",
  );
});
