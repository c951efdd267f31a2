import { expect, it } from "vitest";
import { waitingText } from "./waiting";

const company = (
  approval: string,
  missing_documents: string[] = [],
  decision_reason: string | null = null,
) => ({
  approval,
  missing_documents,
  decision_reason,
});

it.each([
  [company("enabled"), undefined],
  [
    company("pending", ["articles"]),
    "Em análise: o cadastro da empresa ainda não foi aprovado, falta o contrato social.",
  ],
  [
    company("pending", ["identity", "address", "articles"]),
    "Em análise: o cadastro da empresa ainda não foi aprovado, faltam o documento de identidade, o comprovante de endereço e o contrato social.",
  ],
  [
    company("pending"),
    "Em análise: o cadastro da empresa ainda não foi aprovado, falta a decisão da nossa equipe.",
  ],
  [company("denied", [], "Endereço falso"), "Cadastro negado. Motivo: Endereço falso."],
  [company("denied"), "Cadastro negado."],
  [company("deleted", [], "Pedido da empresa."), "Cadastro deletado. Motivo: Pedido da empresa."],
])("%j waits for %s", (given, text) => expect(waitingText(given)).toBe(text));
