// The words that explain the net amount of a sale.

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const explanationStrings = {
  explanation: {
    title: "Por que esse valor?",
    of: (code: string) => `Por que esse valor? Venda ${code}`,
    plan: (name: string) => `Calculado pelo plano ${name}, em vigor na aprovação da venda.`,
    /** For staff. */
    planVersion: (name: string, version: number) =>
      `Calculado pelo plano ${name}, versão ${version}, em vigor na aprovação da venda.`,
    steps: "Do bruto ao líquido",
    gross: "Valor bruto",
    net: "Valor líquido",
    noFees: "O plano não cobra taxas nesta venda.",
    rules: {
      effective: (rate: string, whose: string) => `Taxa Efetiva de ${rate} (${whose})`,
      mdr: (rate: string, whose: string) => `Taxa MDR de ${rate} (${whose})`,
      pix_percent: (rate: string) => `Taxa percentual do PIX: ${rate}`,
      advance: (rate: string, days: number) =>
        `Antecipação de ${rate} ao mês, com recebimento em ${days} ${plural(days, "dia", "dias")} (D+${days})`,
      boleto: "Tarifa do boleto",
      pix_fixed: "Tarifa fixa do PIX",
      percentage_rate: (rate: string) => `Taxa percentual do plano: ${rate}`,
      flat_rate: "Tarifa fixa do plano",
    },
    unlistedBrand: "bandeira sem taxa própria: maior taxa das demais bandeiras",
    groups: { visamaster: "Visa e Mastercard", others: "demais bandeiras" },
    bands: {
      debit: "débito",
      credit_1: "crédito à vista",
      credit_2to6: "crédito de 2x a 6x",
      credit_7to12: "crédito de 7x a 12x",
      credit_13to21: "crédito de 13x a 21x",
    },
    installments: (n: number) => (n > 1 ? `${n}x` : "à vista"),
    percentOf: (rate: string, base: string, unrounded: string) => `${rate} de ${base} = ${unrounded}`,
    advanceOf: (base: string) =>
      `Soma do custo de antecipar cada parcela (${base} no total), com arredondamento por parcela`,
    fixed: (amount: string) => `Valor fixo de ${amount}`,
    exact: "sem arredondamento",
    rounded: (difference: string) => `arredondamento de ${difference}`,
    capped: "cobrança limitada ao valor restante da venda",
    left: (amount: string) => `Sobra: ${amount}`,
    schedule: "Parcela por parcela",
    number: "Parcela",
    fees: "Taxas",
    advance: "Antecipação",
    dueDate: "Data prevista",
    advanceDetail: (base: string, days: number, unrounded: string) =>
      `${base} por ${days} ${plural(days, "dia", "dias")}, ao custo de ${unrounded}`,
    split:
      "As taxas são divididas entre as parcelas na proporção do valor bruto. Os centavos restantes ficam na primeira parcela.",
    splitExceptAdvance:
      "As taxas, exceto a antecipação, são divididas entre as parcelas na proporção do valor bruto. Os centavos restantes ficam na primeira parcela.",
    netIsSplit:
      "Nesta venda, dividir as taxas deixaria uma parcela negativa. Por isso, dividimos o valor líquido.",
    moved: "Datas adiadas por feriado ou fim de semana",
    movedTo: (number: number, from: string, to: string) =>
      `Parcela ${number}: data adiada de ${from} para ${to}.`,
    allMovedTo: (first: number, last: number, from: string, to: string) =>
      `Parcelas ${first} a ${last}: data adiada de ${from} para ${to}.`,
    closedDay: (date: string, reason: string) => `${date} (${reason})`,
    holiday: (name: string) => `feriado: ${name}`,
    added: (name: string | null) => (name ? `feriado: ${name}` : "feriado local"),
    closed: "Dias sem expediente bancário:",
  },
} as const;
