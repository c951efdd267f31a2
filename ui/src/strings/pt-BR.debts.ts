// The words of debts: a balance below zero, why, and how it is recovered.

export const debtsStrings = {
  panel: (amount: string) => `Saldo devedor de ${amount}`,
  sellerHint:
    "O saldo ficou negativo. As próximas parcelas e créditos cobrem este valor automaticamente, do débito mais antigo para o mais novo; o que sobrar fica disponível.",
  staffHint: "As próximas parcelas e créditos cobrem este valor, do débito mais antigo para o mais novo.",
  causes: "O que causou",
  cause: { description: "Débito", at: "Data", owed: "Ficou devendo", recovered: "Já coberto", open: "Falta" },
  recoveredBy: "Coberto por",
  noneRecovered: "Nada ainda",
  unlisted: (amount: string) => `Outros débitos mais novos deixam ${amount} em aberto.`,
  recovery: "De onde será descontado",
  day: { date: "Data prevista", expected: "A receber no dia", taken: "Será descontado" },
  more: (days: number) => (days === 1 ? "e mais 1 dia" : `e mais ${days} dias`),
  endsOn: (date: string) => `Com as vendas já feitas, a dívida termina em ${date}.`,
  uncovered: (amount: string) =>
    `As parcelas já agendadas não cobrem ${amount}: esse valor sairá de novas vendas ou de um pagamento.`,
  writeOff: {
    open: "Dar baixa",
    title: "Dar baixa em dívida",
    hint: "A plataforma abre mão do valor, que entra como custo na receita. Outra pessoa precisa aprovar.",
    debt: "Saldo devedor",
    amount: "Valor da baixa",
    amountRequired: "Informe o valor da baixa.",
    above: "Não pode ser maior que o saldo devedor.",
    reason: "O que foi combinado",
    reasonRequired: "Informe o que foi combinado.",
    password: "Sua senha",
    passwordRequired: "Informe a sua senha.",
  },
} as const;
