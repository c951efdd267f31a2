// The words of reports, in both panels.

import { figures } from "../api/sheets.json";
import { Group } from "../api/words.json";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const reportStrings = {
  hints: {
    totals: "As vendas da sua empresa por período, solução, forma de pagamento e bandeira.",
    financial:
      "Do valor bruto ao valor líquido: taxas, cancelamentos, contestações e o que já foi liquidado.",
    terminals: "O que cada maquininha vendeu, inclusive as que ficaram sem vendas.",
    payments: "Os saques das empresas e as vendas que já entraram nos saldos.",
    billing: "O que a plataforma faturou com taxas de vendas, tarifas de saque e aluguéis.",
    billingByCompany: "O que cada empresa gerou de taxas, tarifas de saque e aluguéis.",
    totalSales: "As vendas de cada empresa no período.",
    companyTerminals: "O que cada maquininha de uma empresa vendeu, inclusive as que ficaram sem vendas.",
  },
  daysInBrasilia: "Os dias são os de Brasília.",
  files: {
    totals: "relatório de totais",
    financial: "relatório financeiro",
    terminals: "totais por maquininha",
    settled: "vendas liquidadas",
    billing: "faturamento",
    billingByCompany: "faturamento por empresa",
    totalSales: "totais de vendas",
  },
  filters: {
    region: "Filtros do relatório",
    group: "Agrupar por",
    groups: Group,
    usualPeriod: {
      hour: "Últimas 24 horas",
      day: "Últimos 30 dias",
      week: "Últimas 12 semanas",
      month: "Últimos 12 meses",
    },
    solution: "Solução",
    paymentType: "Pagamento",
    brand: "Bandeira",
    terminal: "Maquininha",
    link: "Link de pagamento",
    linkPlaceholder: "Código do link",
    company: "Empresa",
    anyCompany: "Todas",
    chooseCompany: "Escolha uma empresa",
    all: "Todos",
    allFeminine: "Todas",
    more: (chosen: number) => (chosen === 0 ? "Mais filtros" : `Mais filtros (${chosen})`),
    less: "Menos filtros",
  },
  tools: { print: "Imprimir", image: "Salvar imagem" },
  figuresLabel: "Totais do período",
  figures: {
    ...figures,
    fees: "Taxas",
    ticket: "Ticket médio",
    canceled: "Cancelado",
    refunded: "Estornado",
    disputed: "Contestado",
    charged_back: "Chargeback",
    settled: "Liquidado",
    platform_sales: "Taxas de vendas",
    platform_withdrawals: "Tarifas de saque",
    platform_rentals: "Aluguéis",
    platform_total: "Faturamento",
  },
  figureNotes: {
    fees: "“Taxas” são as das vendas aprovadas no período. “Taxas de vendas” descontam as devolvidas em cancelamentos e estornos.",
    idle: (count: number) =>
      count === 0
        ? "Todas as maquininhas venderam."
        : `${count} ${plural(count, "maquininha sem vendas", "maquininhas sem vendas")}.`,
  },
  change: {
    up: "aumento de",
    down: "queda de",
    level: "sem mudança",
    noBefore: "nada no período anterior",
    before: (value: string) => `antes ${value}`,
    against: (period: string) => `Variação em relação ao período de ${period}.`,
  },
  rows: {
    label: "Linhas do relatório",
    kinds: {
      period: "Período",
      solution: "Solução",
      paymentType: "Pagamento",
      brand: "Bandeira",
      installments: "Parcelas",
      company: "Empresa",
      terminal: "Maquininha",
    },
    total: "Total",
    noCard: "Sem cartão",
    idle: "Sem vendas",
    former: "Não é mais da empresa",
    installments: (count: number) => (count === 1 ? "À vista" : `${count} parcelas`),
    counted: (count: number, shown: string) => `${shown} ${plural(count, "venda", "vendas")}`,
    behind: (value: string, figure: string, row: string) => `${value}: ver vendas de ${figure}, ${row}`,
    behindFigure: "Ver vendas",
    highest: "Maior valor primeiro",
    lowest: "Menor valor primeiro",
  },
  chart: {
    overTime: (title: string) => `${title}: evolução`,
    byRow: (figure: string, kind: string) => `${figure} por ${kind.toLowerCase()}`,
    hint: "O mesmo período dos filtros acima",
    topHint: (shown: number) => `Os ${shown} maiores valores da tabela`,
    share: "Parte do total",
    others: "Outros",
    summary: (title: string, total: string, top: string, topName: string) =>
      `${title}. Total: ${total}. Maior: ${top} em ${topName}. A tabela tem os mesmos valores.`,
    failed: "Não foi possível salvar a imagem neste navegador.",
  },
  table: (title: string) => `${title}: tabela`,
  empty: {
    title: "Nenhum valor no período",
    text: "Mude o período ou os filtros para ver outros valores.",
    company: "Escolha uma empresa para ver as suas maquininhas",
    companyText: "Use o filtro “Empresa” acima.",
  },
  print: {
    company: "Empresa",
    allCompanies: "Todas as empresas",
    period: "Período",
    anyPeriod: "Todo o período",
    filters: "Filtros",
    none: "Nenhum",
    printedAt: "Impresso em",
  },
};
