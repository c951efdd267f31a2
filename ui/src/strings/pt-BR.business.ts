// The words of companies, their bank accounts and plans.

export const businessStrings = {
  businessType: { PF: "Pessoa física", PJ: "Pessoa jurídica" },
  /** The label of a company's name, by its type. */
  businessName: { PF: "Pessoa física", PJ: "Razão social" },
  approval: { pending: "Não definido", enabled: "Aprovado", denied: "Negado", deleted: "Deletado" },
  approvalUndefined: "Não definido",
  accountTypes: {
    CHECKING: "Conta Corrente",
    SAVINGS: "Conta Poupança",
    CHECKING_CONJUNCT: "Conta Corrente Conjunta",
    SAVINGS_CONJUNCT: "Conta Poupança Conjunta",
  },
  feeTypes: { false: "Taxa Efetiva", true: "Taxa MDR" },
} as const;
