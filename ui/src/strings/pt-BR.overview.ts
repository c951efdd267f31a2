// The words of the first page, and of its figures elsewhere.

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const overviewStrings = {
  overview: {
    title: "Início",
    balance: "Saldo",
    available: "Disponível",
    receivable: "A receber",
    next7: "Próximos 7 dias",
    next30: "Próximos 30 dias",
    inTransfer: "Saques em andamento",
    inTransferHint: "Já saíram do disponível e ainda não foram concluídos",
    blocked: "Bloqueado",
    sales: "Vendas",
    today: "Vendas hoje (bruto)",
    month: "Vendas no mês (bruto)",
    salesCount: (n: number, shown: string) => `${shown} ${plural(n, "venda", "vendas")}`,
    versusYesterday: "em relação a ontem",
    versusMonth: "em relação ao mesmo período do mês anterior",
    noBasis: "sem vendas para comparar",
    averageTicket: "Ticket médio no mês",
    averageTicketHint: "Valor bruto por venda; inclui canceladas e contestadas depois",
    daily: "Vendas por dia",
    dailyHint:
      "Valor bruto, últimos 30 dias (horário de Brasília). Inclui vendas canceladas ou contestadas depois.",
    chart: "Gráfico",
    table: "Tabela",
    viewOf: (title: string) => `Ver ${title} como`,
    chartSummary: (total: string, best: string, bestDay: string) =>
      `Gráfico das vendas por dia nos últimos 30 dias: total de ${total}; melhor dia ${bestDay}, com ${best}.`,
    day: "Data",
    count: "Vendas",
    gross: "Valor bruto",
    net: "Valor líquido",
    byType: "Por forma de pagamento",
    byBrand: "Por bandeira",
    last30: "Últimos 30 dias",
    share: (ratio: string) => `${ratio} do total`,
    noCards: "Nenhuma venda com cartão neste período.",
    latest: "Últimas vendas",
    seeAll: "Ver todas",
    emptyTitle: "Sua primeira venda aparece aqui",
    empty: "Assim que uma venda for aprovada, você acompanha aqui o valor, as taxas e a data de recebimento.",
  },
} as const;
