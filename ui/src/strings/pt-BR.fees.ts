// The words of a company's fees and of its calculator.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

export const feesStrings = {
  fees: {
    hint: (plan: string) => `Plano ${plan}`,
    noPlanTitle: "Nenhum plano em vigor",
    noPlan: "Fale com a plataforma para contratar um plano para esta solução.",
    general: "Condições",
    type: "Tipo de taxa",
    days: "Prazo de recebimento",
    daysText: (days: number) => (days === 0 ? "Na hora" : days === 1 ? "1 dia" : `${days} dias`),
    monthly: "Débito, PIX e boleto no prazo. Crédito: uma parcela a cada 30 dias.",
    pix: "PIX",
    boleto: "Boleto",
    percentageRate: "Taxa percentual por venda",
    flatRate: "Tarifa fixa por venda",
    cards: "Cartões",
    payment: "Pagamento",
    brands: (group: string, names: string) => `${group}: ${names}.`,
    advance: (brands: string, rate: string) =>
      `${brands}: mais antecipação de ${rate} ao mês sobre cada parcela.`,
    otherBrands: "Outras bandeiras",
    none: "—",
    percent: (rate: string) => `${rate.replace(".", ",")}%`,
    perSale: (amount: string) => `${amount} por venda`,
  },
  calculator: {
    hint: "Veja quanto cobrar e quanto você recebe em cada forma de pagamento.",
    amountSeller: "Valor da venda",
    amountBuyer: "Quanto quer receber",
    brand: "Bandeira",
    payer: "Quem paga as taxas",
    payers: { seller: "Eu pago as taxas", buyer: "O comprador paga as taxas" },
    table: "Resultado",
    columns: {
      payment: "Pagamento",
      charged: "Comprador paga",
      installment: "Parcela",
      fees: "Taxas",
      net: "Você recebe",
      when: "Quando recebe",
    },
    empty: "Informe um valor para ver o resultado.",
    installmentOf: (count: number, amount: string) => `${count}x de ${amount}`,
    firstHigher: (first: string, count: number, others: string) => `1x de ${first} + ${count}x de ${others}`,
    between: (first: string, last: string) => `de ${first} a ${last}`,
    card: (charged: string, installments: string, when: string) =>
      `Comprador paga ${charged === installments ? charged : `${charged}, ${installments}`} · Recebe ${when}`,
    copy: "Copiar como texto",
    copied: "Copiado.",
    copyFailed: "Não foi possível copiar. Copie pela tabela.",
    copyTitle: (amount: string, brand: string) => `${amount} · ${brand}`,
    copyLine: (payment: string, charged: string, net: string) =>
      `${payment}: cobrar ${charged}, receber ${net}`,
  },
} as const;
