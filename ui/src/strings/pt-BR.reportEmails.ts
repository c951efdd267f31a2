// The words of reports by e-mail and of the monthly closing, in both panels.

import { reportEmails } from "../api/sheets.json";
import { AccountName, Rhythm } from "../api/words.json";

export const reportEmailStrings = {
  subscribeTitle: "Receber este relatório por e-mail",
  subscribeHint: (email: string) =>
    `A planilha vai para ${email}, com os filtros que estão na tela, sempre que a semana ou o mês terminar (horário de Brasília).`,
  every: "Com que frequência?",
  rhythms: Rhythm,
  subscribeSubmit: "Pedir",
  subscribed: "Pedido registrado. O primeiro e-mail chega quando o período atual terminar.",
  hint: "Os relatórios que você pediu por e-mail. Só você vê esta lista.",
  list: "Relatórios que você recebe",
  none: "Você não recebe relatórios por e-mail",
  noneText: "Abra um relatório, escolha os filtros e use “Receber por e-mail” em “Visões salvas”.",
  filters: reportEmails.filters,
  noFilters: "Nenhum",
  subscribedAt: reportEmails.subscribedAt,
  lastSent: reportEmails.lastSent,
  neverSent: "Nenhum ainda",
  upTo: (date: string) => `até ${date}`,
  next: reportEmails.next,
  stopped: {
    access: "Parado: você não tem mais acesso a este relatório",
    filters: "Parado: o relatório não aceita mais estes filtros",
  },
  stop: "Parar",
  remove: "Remover",
  stopOf: (title: string) => `Parar ${title}`,
  removeOf: (title: string) => `Remover ${title}`,
  stopTitle: (title: string) => `Parar de receber “${title}”?`,
  stopEffect: "Nenhum outro e-mail deste relatório será enviado. Você pode pedir de novo quando quiser.",
  stopSubmit: "Parar de receber",
  removeTitle: (title: string) => `Remover “${title}” da lista?`,
  removeEffect: "Este relatório já não é enviado. Ele só sai da lista.",
  file: "Seu arquivo",
  fileHint: "A planilha que o e-mail anunciou. Ela pode ser baixada por sete dias.",
  download: "Baixar planilha",
  fileName: "relatório",
  exportName: "relatórios por e-mail",
};

export const closingStrings = {
  overdue: (installments: number, net: string) =>
    installments === 1
      ? `1 parcela de ${net} estava vencida e em aberto no fim do mês.`
      : `${installments} parcelas, no total de ${net}, estavam vencidas e em aberto no fim do mês.`,
  hint: "Vendas, taxas, recebíveis, saques e saldos de um mês, em uma planilha para a contabilidade.",
  month: "Mês",
  company: "Empresa",
  chooseCompany: "Escolha uma empresa",
  needsCompany: "Escolha uma empresa para ver o seu fechamento",
  needsCompanyText: "Use o filtro “Empresa” acima.",
  download: "Baixar fechamento",
  file: "fechamento",
  accounts: "Contas",
  accountsHint: "Saldo inicial, mais o que entrou, menos o que saiu: o saldo final.",
  columns: {
    account: "Conta",
    opening: "Saldo inicial",
    credits: "Entradas",
    debits: "Saídas",
    closing: "Saldo final",
  },
  accountNames: AccountName,
  total: "Soma",
  balanced: "Os saldos conferem",
  different: "Há diferenças nos saldos. Veja a aba Conferência da planilha e fale com o suporte.",
  figures: "Totais do mês",
  gross: "Vendas: valor bruto",
  fees: "Taxas e tarifas",
  net: "Vendas: valor líquido",
  settled: "Liquidado",
  open: "A receber no fim do mês",
  sheets: "O que vem na planilha",
  sheetList: [
    "Resumo: os totais do mês e os saldos antes e depois dele.",
    "Vendas e Devoluções: cada venda aprovada, cada cancelamento, estorno e contestação.",
    "Taxas: o que foi cobrado em cada dia, por tipo.",
    "Extrato e Saques: cada movimento do saldo e cada saque.",
    "A receber: as parcelas em aberto no fim do mês.",
    "Contas e Conferência: os movimentos de cada conta, e as somas que precisam bater.",
  ],
};
