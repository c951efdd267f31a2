// The words of reversals: the question, its result, and the status of a reversed sale. Pages that need them import
// this file; pt-BR.ts, which every page loads, does not.

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const reversalsStrings = {
  reversalStatus: {
    label: "Status da venda",
    dispute: {
      open: "Contestação em aberto",
      won: "Contestação ganha",
      lost: "Contestação perdida",
      closed: "Contestação encerrada",
    },
    disputeText: {
      open: (gross: string) => `O valor bruto, ${gross}, fica bloqueado até o resultado da contestação.`,
      won: (gross: string) => `O valor bruto, ${gross}, voltou para o saldo disponível.`,
      lost: (gross: string) => `O valor bruto, ${gross}, foi devolvido ao comprador.`,
      closed: () => "A venda foi estornada antes do resultado: o valor bloqueado foi devolvido ao comprador.",
    },
    openedBy: (who: string) => `Iniciada por: ${who}`,
    requestedBy: (who: string) => `Solicitado por: ${who}`,
    since: "Aberta em",
    refund: {
      asked: (amount: string) => `Estorno de ${amount} solicitado à adquirente`,
      done: (amount: string) => `Estorno de ${amount} feito pela adquirente`,
      refused: (amount: string) => `A adquirente recusou o estorno de ${amount}`,
    },
    refundText: {
      seller: {
        asked: "O valor já saiu do seu saldo. Aguardando a adquirente confirmar a devolução ao comprador.",
        done: "A adquirente confirmou a devolução ao comprador.",
        refused:
          "O valor já saiu do seu saldo. Nossa equipe vai cuidar da devolução ao comprador: você não precisa fazer nada.",
      },
      admin: {
        asked:
          "O valor já saiu do saldo da empresa. Aguardando a adquirente confirmar a devolução ao comprador.",
        done: "A adquirente confirmou a devolução ao comprador.",
        refused: "O valor já saiu do saldo da empresa. A equipe deve cuidar da devolução ao comprador.",
      },
    },
    tries: (n: number) => `${n} ${plural(n, "tentativa", "tentativas")}`,
    updated: "Atualizado em",
  },
  endDispute: {
    title: "Encerrar contestação",
    when: "Use quando a adquirente informar o resultado fora do sistema, por e-mail ou no painel dela.",
    outcome: "Resultado",
    outcomes: { won: "Ganha pela empresa", lost: "Perdida" },
    effect: {
      won: (gross: string) => `O valor bruto, ${gross}, volta para o saldo disponível da empresa.`,
      lost: (gross: string) => `O valor bruto, ${gross}, sai do saldo bloqueado: foi devolvido ao comprador.`,
    },
    reason: "Motivo",
    reasonHint: "De onde vem o resultado. Fica na auditoria e só a equipe vê.",
    reasonRequired: "Informe de onde vem o resultado.",
    submit: "Encerrar contestação",
  },
  reversal: {
    cancel: {
      title: "Cancelar venda",
      /** Only a dispute says when to use it. */
      when: "",
      cardRefund: "O estorno aparece na mesma fatura da compra, se ainda estiver aberta, ou na próxima.",
      irreversible: "Esta ação é irreversível.",
      effect: (amount: string) => `O valor líquido da venda, ${amount}, será descontado do saldo disponível.`,
      doneTitle: "Venda cancelada",
      done: (amount: string) => `O valor líquido de ${amount} foi descontado do saldo disponível.`,
    },
    dispute: {
      title: "Contestar venda",
      when: "Use quando o comprador não reconhecer a compra.",
      cardRefund:
        "Se o comprador ganhar a contestação, o estorno aparece na mesma fatura da compra, se ainda estiver aberta, ou na próxima.",
      irreversible: "Esta ação é irreversível.",
      effect: (amount: string) =>
        `O valor bruto da venda, ${amount}, será descontado do saldo disponível e ficará bloqueado até o resultado da contestação.`,
      doneTitle: "Venda disputada",
      done: (amount: string) =>
        `O valor bruto de ${amount} foi descontado do saldo disponível e fica bloqueado até o resultado da contestação.`,
    },
    /** A cancel of a part of what is left of the sale. */
    part: {
      label: "Valor",
      hint: (left: string) => `Em branco, o comprador recebe tudo o que resta da venda: ${left}.`,
      minimum: "Informe um valor a partir de R$ 0,01.",
      aboveLeft: (left: string) => `Restam ${left} desta venda.`,
      short: "O saldo disponível não cobre este valor.",
      wholeShort: "O saldo disponível não cobre a venda inteira: informe um valor menor.",
      instead: "Estornar uma parte",
      submit: "Estornar parte",
      effect: (amount: string) => `O comprador recebe ${amount} de volta, e a venda continua aprovada.`,
      doneTitle: "Parte da venda estornada",
      done: (amount: string) => `O comprador recebe ${amount} de volta. A venda continua aprovada.`,
      sources: "De onde sai o valor",
      fromInstallments: "Das parcelas a receber",
      fromBalance: "Do saldo disponível",
      fromFees: "Das taxas devolvidas",
      total: "O comprador recebe",
    },
    sale: "Dados da venda",
    left: "Resta da venda",
    payment: "Forma de pagamento",
    brand: "Bandeira",
    amount: "Valor",
    net: "Valor líquido",
    boleto: "Boleto",
    preview: "Efeito no saldo",
    balance: "Saldo",
    balances: { available: "Disponível", receivable: "A receber", blocked: "Bloqueado" },
    before: "Antes",
    after: "Depois",
    acceleratedBeforeConfirmation: (n: number, sum: string) =>
      n === 1
        ? `Antes, 1 parcela agendada desta venda, de ${sum}, entra no saldo disponível.`
        : `Antes, ${n} parcelas agendadas desta venda, no total de ${sum}, entram no saldo disponível.`,
    releasedBeforeConfirmation: (sum: string) => `Antes, o valor bloqueado desta venda, ${sum}, é liberado.`,
    releasedAfterConfirmation: (sum: string) => `Antes, o valor bloqueado desta venda, ${sum}, foi liberado.`,
    unchanged: "Ao final, o saldo disponível não muda.",
    decreases: (amount: string) => `Ao final, o saldo disponível diminui em ${amount}.`,
    acceleratedAfterConfirmation: (n: number, sum: string) =>
      n === 1
        ? `Antes, 1 parcela agendada desta venda, de ${sum}, entrou no saldo disponível.`
        : `Antes, ${n} parcelas agendadas desta venda, no total de ${sum}, entraram no saldo disponível.`,
    reason: "Motivo (opcional)",
    reasonTooLong: "O motivo deve ter até 200 caracteres.",
    back: "Voltar",
    backToSale: "Voltar para a Venda",
    // The words of the specification, for a dispute too.
    insufficientTitle: "O saldo disponível não é suficiente para cancelar a venda",
    insufficientNeed: "É preciso ter o valor da venda que você quer cancelar no saldo disponível.",
    insufficientAdvice: "Você pode aguardar o aumento dos seus recebimentos ou fazer novas vendas.",
    needed: "Necessário",
    available: "Disponível agora",
    availableForSale: "Disponível para esta venda",
    missing: "Valor que falta",
    coveredOn: (date: string) =>
      `Com os recebimentos agendados, o saldo disponível será suficiente em ${date}.`,
    /** For roles that may not see the balance. */
    unseen:
      "Seu perfil não tem acesso ao saldo. Peça a um administrador para consultar quanto falta e quando haverá saldo.",
    neverCovered:
      "Mesmo com todos os recebimentos agendados, ainda vai faltar saldo. Faça novas vendas ou fale com o suporte.",
  },
} as const;
