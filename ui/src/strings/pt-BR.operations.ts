// The words of the operations screen. Read by the page that needs them, not through pt-BR.ts, which every page loads.

import { AdjustmentKind, AdjustmentRequestStatus } from "../api/words.json";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const operationsStrings = {
  hint: "O que está parado, atrasado ou aguarda outra pessoa. Quando está tudo em dia, as listas ficam vazias e o processamento mostra “Em dia”.",
  tabs: "Listas da operação",
  tab: {
    adjustments: "Ajustes de saldo",
    payouts: "Pagamentos",
    refunds: "Estornos",
    charges: "Cobranças",
    emails: "E-mails",
    receivables: "Liquidação",
    balances: "Saldos negativos",
    followers: "Processamento",
  },
  columns: {
    business: "Empresa",
    amount: "Valor",
    status: "Status",
    tries: "Tentativas",
    error: "Último erro",
    nextTry: "Próxima tentativa",
    since: "Desde",
    kind: "E-mail",
    recipient: "Destinatário",
    dueDate: "Data prevista",
    installments: "Parcelas",
    net: "Valor líquido",
    owesSince: "Deve desde",
    available: "Saldo disponível",
    name: "Processamento",
    lag: "Eventos a processar",
    stopped: "Parado em",
  },
  status: {
    waiting: "A enviar",
    unknown: "Sem confirmação",
    sent: "Enviado",
    unreadable: "Ilegível (veja as exceções)",
  },
  noError: "—",
  noTry: "—",
  upToDate: "Em dia",
  stoppedAt: (shard: number, position: number) => `partição ${shard}, posição ${position}`,
  triesCount: (count: number) => `${count} ${plural(count, "tentativa", "tentativas")}`,
  installmentsCount: (count: number) => `${count} ${plural(count, "parcela", "parcelas")}`,
  openWithdrawals: (business: string) => `Ver os saques em processamento de ${business}`,
  openSale: (business: string) => `Abrir a venda de ${business}`,
  openBalance: (business: string) => `Abrir o saldo de ${business}`,
  retryName: (amount: string, business: string) => `${amount} de ${business}`,
  unnamed: "Empresa não encontrada",
  adjustments: {
    table: "Ajustes acima do limite de uma só pessoa",
    file: "ajustes-de-saldo",
    emptyTitle: "Nenhum ajuste pedido",
    empty:
      "Créditos, débitos, liberações e exceções de planos acima do limite de uma só pessoa, e o que a Justiça ordena, aparecem aqui.",
    nothingFoundTitle: "Nenhum ajuste encontrado",
    nothingFound: "Mude o filtro de status.",
    all: "Todos",
    columns: {
      business: "Empresa",
      kind: "Tipo",
      amount: "Valor",
      reason: "Motivo",
      status: "Status",
      requestedBy: "Pedido por",
      requestedAt: "Pedido em",
      decidedBy: "Decidido por",
      decidedAt: "Decidido em",
      outcome: "Decisão",
    },
    kinds: AdjustmentKind,
    states: AdjustmentRequestStatus,
    open: (business: string) => `Ver o ajuste de ${business}`,
    title: (kind: string, business: string) => `${kind}: ${business}`,
    planHint: "O valor é quanto a plataforma teria recebido a menos no mês passado.",
    expires: "Expira em",
    negative: "O saldo pode ficar negativo",
    caseNumber: "Processo",
    court: "Vara",
    receipt: "Depósito judicial nº",
    hold: "Retenção",
    openHold: "Ver a retenção",
    yes: "Sim",
    own: "Você pediu este ajuste. Outra pessoa decide, ou você retira o pedido.",
    effect: "O ajuste vale assim que for aprovado. No saldo, ele não pode ser desfeito.",
    reasonField: "Motivo da decisão",
    reasonHint: "Obrigatório para rejeitar.",
    reasonMissing: "Informe o motivo.",
    approve: "Aprovar",
    reject: "Rejeitar",
    withdraw: "Retirar pedido",
    done: {
      approved: (amount: string) => `Ajuste de ${amount} aprovado. Ele passa a valer em instantes.`,
      recorded: (amount: string) => `Ajuste de ${amount} aprovado e lançado.`,
      refused: (amount: string) => `Ajuste de ${amount} aprovado, mas não lançado. Veja o motivo na lista.`,
      rejected: (amount: string) => `Ajuste de ${amount} rejeitado.`,
      withdrawn: (amount: string) => `Pedido de ${amount} retirado.`,
    },
  },
  retry: {
    one: "Tentar agora",
    parked: "Ilegível: tente de novo na fila de exceções.",
    payouts: {
      all: "Tentar todos agora",
      oneTitle: "Tentar o pagamento agora",
      oneEffect: (named: string) =>
        `O pagamento (${named}) é tentado em instantes, sem esperar a próxima tentativa.`,
      oneDone: "O pagamento é tentado em instantes. Se for concluído, sai da lista.",
      allTitle: "Tentar todos os pagamentos agora",
      allEffect:
        "Todos os pagamentos cuja última tentativa falhou são tentados em instantes, também os que ainda não estão atrasados.",
      allDone: (count: number) =>
        count === 0
          ? "Nenhum pagamento espera por uma nova tentativa."
          : `${count} ${plural(count, "pagamento é tentado", "pagamentos são tentados")} em instantes.`,
      safety: "O que o banco pode já ter recebido é consultado antes: nada é pago duas vezes.",
    },
    refunds: {
      all: "Tentar todos agora",
      oneTitle: "Tentar o estorno agora",
      oneEffect: (named: string) =>
        `O estorno (${named}) é tentado em instantes, sem esperar a próxima tentativa.`,
      oneDone: "O estorno é tentado em instantes. Se for concluído, sai da lista.",
      allTitle: "Tentar todos os estornos agora",
      allEffect:
        "Todos os estornos cuja última tentativa falhou são tentados em instantes, também os que ainda não estão atrasados.",
      allDone: (count: number) =>
        count === 0
          ? "Nenhum estorno espera por uma nova tentativa."
          : `${count} ${plural(count, "estorno é tentado", "estornos são tentados")} em instantes.`,
      safety: "O que a adquirente pode já ter recebido é consultado antes: nada é devolvido duas vezes.",
    },
    charges: {
      all: "Tentar todas agora",
      oneTitle: "Tentar a cobrança agora",
      oneEffect: (named: string) =>
        `A cobrança (${named}) é tentada em instantes, sem esperar a próxima tentativa.`,
      oneDone: "A cobrança é tentada em instantes. Se a adquirente responder, sai da lista.",
      allTitle: "Tentar todas as cobranças agora",
      allEffect:
        "Todas as cobranças cuja última tentativa falhou são tentadas em instantes, também as que ainda não estão atrasadas.",
      allDone: (count: number) =>
        count === 0
          ? "Nenhuma cobrança espera por uma nova tentativa."
          : `${count} ${plural(count, "cobrança é tentada", "cobranças são tentadas")} em instantes.`,
      safety: "O que a adquirente pode já ter recebido é consultado antes: ninguém é cobrado duas vezes.",
    },
    emails: {
      all: "Tentar todos agora",
      oneTitle: "Tentar o e-mail agora",
      oneEffect: (named: string) =>
        `O e-mail para ${named} é enviado em instantes, sem esperar a próxima tentativa.`,
      oneDone: "O e-mail é tentado em instantes. Se sair, deixa a lista.",
      allTitle: "Tentar todos os e-mails agora",
      allEffect:
        "Todos os e-mails cuja última tentativa falhou são tentados em instantes, também os que ainda não estão atrasados.",
      allDone: (count: number) =>
        count === 0
          ? "Nenhum e-mail espera por uma nova tentativa."
          : `${count} ${plural(count, "e-mail é tentado", "e-mails são tentados")} em instantes.`,
      safety: "Um e-mail cuja resposta se perdeu pode chegar duas vezes, com o mesmo link.",
    },
  },
  payouts: {
    table: "Pagamentos de saques atrasados",
    emptyTitle: "Nenhum pagamento atrasado",
    empty: "Os pagamentos que o banco não concluir no prazo aparecem aqui.",
  },
  refunds: {
    table: "Estornos atrasados",
    emptyTitle: "Nenhum estorno atrasado",
    empty: "Os estornos que a adquirente não concluir no prazo aparecem aqui.",
  },
  charges: {
    table: "Cobranças de pedidos atrasadas",
    emptyTitle: "Nenhuma cobrança atrasada",
    empty:
      "As cobranças de pedidos que a adquirente não responder no prazo aparecem aqui. Um PIX ou boleto à espera do comprador não está atrasado.",
  },
  emails: {
    table: "E-mails parados",
    emptyTitle: "Nenhum e-mail parado",
    empty: "Os e-mails que não saírem em 15 minutos aparecem aqui.",
  },
  receivables: {
    table: "Recebíveis vencidos e não liquidados",
    emptyTitle: "Liquidação em dia",
    empty: "As parcelas que vencerem sem liquidação aparecem aqui.",
  },
  balances: {
    table: "Empresas com saldo negativo",
    emptyTitle: "Nenhum saldo negativo",
    empty: "As empresas que devem à plataforma aparecem aqui.",
  },
  followers: {
    table: "Processamento dos eventos",
  },
  emailKinds: {
    welcome: "Boas-vindas",
    "verify-email": "Confirmação de e-mail",
    "reset-password": "Nova senha",
    "password-changed": "Aviso de senha alterada",
    "password-set": "Aviso de senha definida por outra pessoa",
    "email-change-asked": "Aviso de troca de e-mail",
    "email-changed": "Aviso de e-mail alterado",
    "bank-account-changed": "Aviso de conta bancária",
    "document-changed": "Aviso de documento",
    "user-added": "Aviso de usuário com acesso",
    "contact-message": "Mensagem de cliente",
    "contact-answer": "Resposta a cliente",
    "plan-change-requested": "Pedido de mudança de plano",
    "plan-change-decided": "Decisão sobre plano",
    "approval-requested": "Pedido de aprovação de empresa",
    "approval-answered": "Resposta sobre aprovação",
    "company-decided": "Decisão sobre empresa",
    "adjustment-requested": "Pedido de ajuste de saldo",
    "adjustment-decided": "Decisão sobre ajuste",
    "rule-loosened": "Mudança de regra",
    "order-to-pay": "Pedido a pagar",
    "order-paid": "Pedido pago",
    "order-expired": "Pedido expirado",
    "link-paid": "Venda por link",
    "report-ready": "Relatório pronto",
    "report-stopped": "Aviso de relatório parado",
    "withdrawal-returned": "Saque devolvido pelo banco",
    "hold-documents-asked": "Documentos pedidos para um valor retido",
    "hold-document-refused": "Documento de um valor retido recusado",
  } as Readonly<Record<string, string>>,
  followerNames: {
    balance: "Saldos",
    sales: "Vendas e relatórios",
    statement: "Extrato",
    transfers: "Saques",
    holds: "Valores retidos",
    payouts: "Pagamentos de saques",
    refunds: "Estornos",
    orders: "Pedidos por link",
  } as Readonly<Record<string, string>>,
} as const;
