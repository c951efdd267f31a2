// The words of balances and statements, in both panels.

import { staffStatement, statement } from "../api/sheets.json";
import { AccountName } from "../api/words.json";

export const balanceStrings = {
  movementKind: {
    0: "Venda",
    1: "Cancelamento ou contestação",
    2: "Saque",
    3: "Ajuste manual",
    4: "Devolução de saque",
  },
  /** Movements that the name of their kind does not cover. */
  movement: {
    rental: "Aluguel",
    rental_canceled: "Devolução de aluguel",
    hold: "Bloqueio",
    release: "Liberação",
  },
  balance: {
    title: "Financeiro",
    hint: "Seu saldo, suas movimentações e seus saques.",
    figures: "Saldo",
    available: "Disponível",
    availableHint: (cents: number | undefined) =>
      cents !== undefined && cents < 0
        ? "Saldo negativo: as próximas vendas cobrem esse valor"
        : "Pronto para sacar",
    receivable: "A receber",
    receivableHint: "Soma das parcelas agendadas, já sem as taxas",
    inTransfer: "Saques em andamento",
    inTransferHint: "Já saíram do disponível e ainda não foram concluídos",
    blocked: "Bloqueado",
    withdraw: "Solicitar saque",
    requested: (amount: string) =>
      `Saque de ${amount} solicitado. O valor já saiu do disponível; acompanhe na aba Saques e cobranças.`,
    history: "Evolução do saldo",
    historyHint: "Saldo no fim de cada dia (horário de Brasília), últimos 30 dias",
    historySummary: (first: string, last: string, lowest: string) =>
      `Gráfico da evolução do saldo nos últimos 30 dias: o saldo disponível passou de ${first} para ${last}; o menor valor foi ${lowest}.`,
    day: "Data",
    tabs: "Movimentações, saques e cobranças",
    statement: "Extrato",
    transfers: "Saques e cobranças",
    journal: "Razão",
  },
  statement: {
    table: "Extrato",
    axes: {
      effective:
        "Em ordem de data do lançamento. O saldo de cada linha considera tudo o que ocorreu até ali, inclusive fora do período filtrado.",
      recorded:
        "Em ordem de data de registro. O saldo de cada linha considera tudo o que foi registrado até ali, inclusive fora do período filtrado.",
    },
    /** Sellers see only one date. */
    sellerHint: "O saldo de cada linha é o seu saldo disponível logo depois da movimentação.",
    columns: { ...statement, ...staffStatement },
    installment: (number: number) => `parcela ${number}`,
    openSale: (code: string) => `Abrir a venda ${code}`,
    openEvent: (id: string) => `Ver o evento da linha ${id}`,
    seeEvent: "Ver evento",
    emptyTitle: "Nenhuma movimentação",
    empty: "O extrato mostra cada entrada e saída do saldo disponível.",
    nothingFoundTitle: "Nenhuma movimentação neste período",
    nothingFound: "Mude o período ou limpe os filtros para ver outras movimentações.",
    file: "extrato",
  },
  requested: (amount: string) =>
    `Pedido de ${amount} enviado, acima do limite de uma só pessoa. Ele só entra no saldo depois que outra pessoa aprovar.`,
  manualTransfer: {
    title: "Ajuste manual de saldo",
    hint: "O ajuste entra no extrato da empresa com a descrição abaixo e não pode ser desfeito. Acima do limite de uma só pessoa, ele vira um pedido que outra pessoa aprova.",
    direction: "Tipo de ajuste",
    out: "Debitar do saldo",
    in: "Creditar no saldo",
    amount: "Valor",
    description: "Descrição",
    descriptionRequired: "Informe a descrição.",
    minimum: (amount: string) => `Valor não pode ser menor que: ${amount}`,
    allowNegative: "Permitir que o saldo fique negativo",
    available: "Saldo disponível",
    after: "Saldo após o ajuste",
    open: "Ajuste manual",
    done: {
      out: (amount: string) => `Débito de ${amount} registrado.`,
      in: (amount: string) => `Crédito de ${amount} registrado.`,
    },
  },
  hold: {
    hold: "Bloquear",
    releases: "Retenções",
  },
  businessBalance: {
    notNow: "Volte ao saldo atual para fazer ajustes.",
    title: "Saldo da empresa",
    forAdmins: "Apenas administradores podem fazer ajustes.",
    missingTitle: "Empresa não encontrada",
    missing: "A empresa não existe ou foi removida.",
  },
  ledgerEvent: {
    title: "Evento contábil",
    type: "Tipo",
    version: (code: string, version: string | number) => `${code}, versão ${version}`,
    technical: "Dados técnicos",
    sequence: "Sequência na empresa",
    position: "Posição no registro",
    positionIn: (shard: number, position: number) => `partição ${shard}, posição ${position}`,
    occurredAt: "Ocorreu em",
    recordedAt: "Registrado em",
    id: "Identificador",
    digest: "Hash",
    chain: "Hash encadeado",
    postings: "Lançamentos",
    account: "Conta",
    accounts: AccountName,
    amount: "Valor",
    noPostings: "Este evento não movimenta valores.",
    payload: "Conteúdo",
    metadata: "Metadados",
  },
} as const;
