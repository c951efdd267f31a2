// The words of the sellers' home page, and of figures that other pages show too.

import { Group } from "../api/words.json";

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
    period: "Vendas do período",
    periodHint: "Valor bruto, no horário de Brasília. Inclui vendas canceladas ou contestadas depois.",
    periodOf: "Período das vendas",
    versusPrevious: "em relação ao período anterior",
    chart: "Gráfico",
    table: "Tabela",
    viewOf: (title: string) => `Ver ${title} como`,
    chartSummary: (total: string, best: string, bestPart: string) =>
      `Gráfico das vendas do período: total de ${total}; melhor resultado em ${bestPart}, com ${best}.`,
    part: { ...Group, day: "Data" },
    count: "Vendas",
    gross: "Valor bruto",
    net: "Valor líquido",
    breakdown: "Dividir as vendas",
    byType: "Por forma de pagamento",
    byBrand: "Por bandeira",
    share: (ratio: string) => `${ratio} do total`,
    noSales: "Nenhuma venda neste período.",
    noCards: "Nenhuma venda com cartão neste período.",
    latest: "Últimas vendas",
    withdrawals: "Últimos saques",
    noWithdrawals: "Nenhum saque ainda.",
    seeAll: "Ver todas",
    seeAllWithdrawals: "Ver todos",
    emptyTitle: "Sua primeira venda aparece aqui",
    empty: "Assim que uma venda for aprovada, você acompanha aqui o valor, as taxas e a data de recebimento.",
  },
} as const;
