// The words of the staff's home. Read by the page that needs them, not through pt-BR.ts, which every page loads.

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const staffHomeStrings = {
  staffHome: {
    greeting: (name: string) => `Olá, ${name}`,
    operation: "Operação",
    waiting: "Aguardando a equipe",
    volumeToday: "Vendas hoje (bruto)",
    volumeMonth: "Vendas no mês (bruto)",
    revenue: "Receita no mês",
    revenueHint: "Taxas e tarifas da plataforma",
    businesses: "Empresas ativas",
    businessesHint: "Com vendas liberadas",
    withdrawals: "Saques aguardando",
    withdrawalsAmount: (amount: string) => `Valor solicitado: ${amount}`,
    adjustments: "Ajustes aguardando",
    openAdjustments: "Ver pedidos",
    holds: "Retenções a rever",
    heldAmount: (amount: string) => `Retido: ${amount}`,
    dueSince: (day: string) => `a primeira em ${day}`,
    noneDue: "Nenhuma com data até hoje",
    openHolds: "Ver retenções",
    documents: "Documentos a conferir",
    noneToAnswer: "Nenhum sem resposta",
    openDocuments: "Ver documentos",
    exceptions: "Exceções aguardando",
    exceptionsHint: "Notificações, estornos e outros casos",
    differences: "Diferenças em aberto",
    differencesHint: "Conciliação com as adquirentes",
    payouts: "Pagamentos atrasados",
    refunds: "Estornos atrasados",
    charges: "Cobranças atrasadas",
    emails: "E-mails parados",
    noneLate: "Nenhum fora do prazo",
    oldest: (age: string) => `mais antigo há ${age}`,
    receivables: "Vencimento mais antigo em aberto",
    /** `count`: past due dates with installments that are not settled, counted for each company. */
    receivablesLate: (count: number, shown: string) =>
      count === 0
        ? "Liquidação em dia"
        : `${shown} ${plural(count, "vencimento em atraso", "vencimentos em atraso")}`,
    negative: "Saldos negativos",
    negativeSum: (amount: string) => `Soma: ${amount}`,
    followers: "Eventos a processar",
    followersStopped: (count: number) =>
      count === 0
        ? "Nenhuma leitura parada"
        : `${count} ${plural(count, "leitura parada", "leituras paradas")}`,
    openWithdrawals: "Ver saques",
    openExceptions: "Ver exceções",
    openDifferences: "Ver diferenças",
    openList: "Ver lista",
    findBalance: "Saldo de uma empresa",
    business: "Empresa",
    businessPlaceholder: "Busque pelo nome ou documento",
    newest: "Empresas mais recentes",
    noneNewest: "Nenhuma empresa ainda.",
    signedInAs: "Você entrou como",
    roles: "Grupos",
  },
} as const;
