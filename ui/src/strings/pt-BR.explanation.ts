// The words that explain why the net amount of a sale is what it is.

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const explanationStrings = {
  explanation: {
    title: "Por que esse valor?",
    of: (code: string) => `Por que esse valor? Venda ${code}`,
    plan: (name: string, version: number) => `Pelo plano ${name}, versão ${version}, vigente na captura.`,
    steps: "Do bruto ao líquido",
    gross: "Valor bruto",
    net: "Valor líquido",
    noFees: "O plano não cobra taxas desta venda.",
    rules: {
      effective: (rate: string, whose: string) => `Taxa Efetiva de ${rate} (${whose})`,
      mdr: (rate: string, whose: string) => `Taxa MDR de ${rate} (${whose})`,
      pix_percent: (rate: string) => `Taxa do PIX de ${rate}`,
      advance: (rate: string, days: number) => `Antecipação de ${rate} ao mês, com recebimento em D+${days}`,
      boleto: "Tarifa por boleto",
      pix_fixed: "Tarifa fixa por PIX",
      percentage_rate: (rate: string) => `Taxa do plano de ${rate}`,
      flat_rate: "Tarifa do plano por venda",
    },
    unlistedBrand: "bandeira não listada: maior taxa entre as demais",
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
    advanceOf: (base: string) => `Soma do custo de cada parcela, sobre ${base} no total`,
    fixed: (amount: string) => `Valor fixo de ${amount}`,
    exact: "sem arredondamento",
    rounded: (difference: string) => `arredondamento de ${difference}`,
    capped: "limitada ao valor restante da venda",
    left: (amount: string) => `Restam ${amount}`,
    schedule: "Parcela por parcela",
    number: "Parcela",
    fees: "Taxas",
    advance: "Antecipação",
    dueDate: "Vencimento",
    advanceDetail: (base: string, days: number, unrounded: string) =>
      `${base} por ${days} ${plural(days, "dia", "dias")} = ${unrounded}`,
    split:
      "As taxas são divididas entre as parcelas na proporção do valor bruto. Os centavos restantes ficam na primeira.",
    netIsSplit:
      "Dividir as taxas deixaria alguma parcela negativa. Por isso, o que se divide é o valor líquido.",
    moved: "Datas que mudaram",
    movedTo: (number: number, from: string, to: string) =>
      `Parcela ${number}: prevista para ${from}, paga em ${to}.`,
    allMovedTo: (first: number, last: number, from: string, to: string) =>
      `Parcelas ${first} a ${last}: previstas para ${from}, pagas em ${to}.`,
    closedDay: (date: string, why: string) => `${date}: ${why}`,
    holiday: (name: string) => `feriado, ${name}`,
    added: (name: string | null) => (name ? `feriado, ${name}` : "feriado incluído pela equipe"),
    closed: "Dias sem expediente bancário:",
  },
} as const;
