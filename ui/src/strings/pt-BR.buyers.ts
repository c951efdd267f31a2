// The words of buyers' data and of card forms that are closed.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

export const buyersStrings = {
  title: "Dados do comprador",
  name: "Nome",
  document: "CPF/CNPJ",
  email: "E-mail",
  phone: "Telefone",
  order: "Pedido",
  erasedAt: "Os dados deste comprador foram apagados em",
  erase: "Apagar dados",
  erased: (count: number) =>
    count === 1
      ? "Dados do comprador apagados de 1 pedido."
      : `Dados do comprador apagados de ${count} pedidos.`,
  open: (count: number) =>
    count === 1
      ? "1 pedido ainda aguarda pagamento e guarda os dados até terminar."
      : `${count} pedidos ainda aguardam pagamento e guardam os dados até terminar.`,
  eraseTitle: "Apagar os dados do comprador?",
  eraseOneTitle: (order: string) => `Apagar os dados do comprador do pedido ${order}?`,
  effects: [
    "Nome, CPF/CNPJ, e-mail, telefone e endereço são apagados para sempre, também dos avisos e e-mails.",
    "A venda, os valores e o registro contábil continuam.",
  ],
  reason: "Motivo",
  reasonHint: "Fica no registro de auditoria. Não inclua dados do comprador.",
  reasonMissing: "Informe o motivo.",
  search: {
    hint: "Atenda solicitações de titulares: encontre os pedidos de um comprador e apague os dados dele.",
    title: "Encontrar um comprador",
    field: "CPF, CNPJ ou pedido",
    missing: "Informe o CPF ou CNPJ, ou o código do pedido.",
    submit: "Buscar",
    orders: "Pedidos do comprador",
    noneTitle: "Nenhum pedido encontrado",
    none: "Não há pedidos com estes dados, ou os dados já foram apagados.",
    eraseAll: "Apagar dados de todos os pedidos",
    at: "Feito em",
    sale: "Ver a venda",
    saleOf: (order: string) => `Ver a venda do pedido ${order}`,
    keepsOpen: "Ainda aguarda pagamento",
    gone: "Dados apagados",
    statuses: { open: "Aberto", paid: "Pago", expired: "Expirado", canceled: "Cancelado" },
  },
  closures: {
    title: "Formulários de cartão fechados",
    hint: "Muitos cartões foram recusados nestes links. PIX e boleto continuam.",
    declines: (count: number) => `${count} cartões recusados`,
    until: "Fechado até",
    reopen: "Reabrir",
    reopenOf: (link: string) => `Reabrir o formulário de cartão do link ${link}`,
    reopenTitle: "Reabrir o formulário de cartão?",
    reopenEffects: [
      "O link volta a aceitar cartões agora.",
      "As recusas até aqui deixam de contar. Se continuarem, o formulário fecha de novo, por mais tempo.",
    ],
    reopened: (link: string) => `O link “${link}” voltou a aceitar cartões.`,
  },
} as const;
