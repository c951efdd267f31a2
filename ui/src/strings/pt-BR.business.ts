// The words of companies, their bank accounts and plans.

export const businessStrings = {
  businessType: { PF: "Pessoa física", PJ: "Pessoa jurídica" },
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
