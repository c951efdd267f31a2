// The words of the staff's home. Read by the page that needs them, not through pt-BR.ts, which every page loads.

export const staffHomeStrings = {
  staffHome: {
    title: "Início",
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
    exceptions: "Exceções aguardando",
    exceptionsHint: "Notificações não processadas",
    openWithdrawals: "Ver saques",
    openExceptions: "Ver exceções",
    findBalance: "Saldo de uma empresa",
    business: "Empresa",
    businessPlaceholder: "Busque pelo nome ou documento",
    newest: "Empresas mais recentes",
    noneNewest: "Nenhuma empresa ainda.",
    signedInAs: "Você entrou como",
    roles: "Grupos",
  },
} as const;
