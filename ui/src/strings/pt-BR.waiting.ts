// What a company that is not approved reads on its pages.
// Read by the code that needs it, not through pt-BR.ts, which every page loads.

export const waitingStrings = {
  pending: (missing: string) => `Em análise: o cadastro da empresa ainda não foi aprovado, ${missing}.`,
  oneMissing: (name: string) => `falta ${name}`,
  severalMissing: (names: string) => `faltam ${names}`,
  decisionMissing: "falta a decisão da nossa equipe",
  documents: {
    identity: "o documento de identidade",
    address: "o comprovante de endereço",
    articles: "o contrato social",
  },
  denied: (reason: string) => (reason ? `Cadastro negado. Motivo: ${reason}` : "Cadastro negado."),
  deleted: (reason: string) => (reason ? `Cadastro deletado. Motivo: ${reason}` : "Cadastro deletado."),
  effect: {
    pending: "Até lá, ela não vende nem solicita saques.",
    other: "A empresa não vende nem solicita saques.",
  },
  send: "Enviar documentos",
  linkTitle: "Links de pagamento ficam disponíveis depois da aprovação",
} as const;
