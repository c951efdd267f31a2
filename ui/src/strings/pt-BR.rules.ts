// The words of the platform's rules: dated settings that decisions follow.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

import { SettingKey } from "../api/words.json";

/** Over which the gateway sums up what one person moves: `PERIOD_HOURS` of its adjustments. */
const PERIOD = "24 horas";

export const rulesStrings = {
  hint: "Valores que a plataforma usa nas cobranças e nas aprovações. Cada mudança vale a partir de uma data.",
  list: "Regras em vigor",
  names: SettingKey,
  rules: {
    terminal_rental: {
      hint: "Mensalidade das maquininhas alugadas sem preço próprio. Cada mês usa o valor do seu primeiro dia.",
      field: "Valor por mês",
    },
    two_approvals_above: {
      hint: "Saques acima deste valor precisam de duas pessoas. Vale também para os saques que já aguardam aprovação.",
      field: "Exigir acima de",
    },
    two_person_plan_changes: {
      hint: "Quem cria ou altera um plano pede, e outra pessoa aprova.",
      field: "Exigir a segunda pessoa",
    },
    marked_destination_days: {
      hint: "Depois que a empresa troca a conta bancária, os saques ficam destacados para a equipe. O mesmo vale para os saques de um usuário com acesso novo.",
      field: "Dias de destaque",
    },
    buyer_data_days: {
      hint: "Por quantos dias, depois do fim do pedido, guardamos os dados do comprador. Depois eles são apagados.",
      field: "Dias de guarda",
    },
    two_person_company_approvals: {
      hint: "Quem aprova uma empresa pede, e um proprietário ou administrador confirma.",
      field: "Exigir a segunda pessoa",
    },
    returned_withdrawal_fee: {
      hint: "Se o banco devolve um saque pago, a tarifa também pode voltar para a empresa.",
      field: "Devolver a tarifa",
    },
    documents_of_pf: {
      hint: "O que a aprovação pede. Sem eles, só um proprietário ou administrador aprova, com um motivo.",
      field: "Documentos pedidos",
    },
    documents_of_pj: {
      hint: "O que a aprovação pede. Sem eles, só um proprietário ou administrador aprova, com um motivo.",
      field: "Documentos pedidos",
    },
    credits_alone_up_to: {
      hint: `Soma as últimas ${PERIOD}, por pessoa e por empresa. Acima deste valor, o crédito só entra depois que outra pessoa aprovar.`,
      field: "Até",
    },
    removals_alone_up_to: {
      hint: `Soma as últimas ${PERIOD}, por pessoa e por empresa. Acima deste valor, o débito só é feito depois que outra pessoa aprovar. Enquanto não houver um valor, uma só pessoa debita qualquer soma.`,
      field: "Até",
    },
    releases_alone_up_to: {
      hint: `Soma as últimas ${PERIOD}, por pessoa e por empresa. Acima deste valor, o saldo só é liberado depois que outra pessoa aprovar.`,
      field: "Até",
    },
    plan_exceptions_alone_up_to: {
      hint: `Quanto a plataforma receberia a menos por mês com os planos dados a empresas, pelas vendas do mês passado. Soma as últimas ${PERIOD}. Acima deste valor, outra pessoa aprova. Enquanto não houver um valor, uma só pessoa dá qualquer plano.`,
      field: "Até",
    },
  },
  documents: {
    identity: "Documento de identidade",
    address: "Comprovante de endereço",
    articles: "Contrato social",
  },
  noDocument: "Nenhum documento",
  limitTexts: {
    plan_exceptions_alone_up_to: {
      question: "Quanto uma só pessoa pode deixar de cobrar",
      choices: { never: "Qualquer valor", above: "Até um valor" },
      never: "Qualquer valor",
      always: "Sempre com duas pessoas",
      limited: (amount: string) => `Até ${amount} por mês, em ${PERIOD}`,
    },
    two_approvals_above: {
      question: "Quais saques",
      choices: { never: "Nenhum", above: "Acima de um valor" },
      never: "Nenhum saque",
      always: "Todos os saques",
      limited: (amount: string) => `Acima de ${amount}`,
    },
    credits_alone_up_to: {
      question: "Quanto uma só pessoa pode creditar",
      choices: { never: "Qualquer valor", above: "Até um valor" },
      never: "Qualquer valor",
      always: "Sempre com duas pessoas",
      limited: (amount: string) => `Até ${amount} em ${PERIOD}`,
    },
    removals_alone_up_to: {
      question: "Quanto uma só pessoa pode debitar",
      choices: { never: "Qualquer valor", above: "Até um valor" },
      never: "Qualquer valor",
      always: "Sempre com duas pessoas",
      limited: (amount: string) => `Até ${amount} em ${PERIOD}`,
    },
    releases_alone_up_to: {
      question: "Quanto uma só pessoa pode liberar",
      choices: { never: "Qualquer valor", above: "Até um valor" },
      never: "Qualquer valor",
      always: "Sempre com duas pessoas",
      limited: (amount: string) => `Até ${amount} em ${PERIOD}`,
    },
  },
  yes: "Sim",
  no: "Não",
  days: (count: number) => (count === 0 ? "Sem destaque" : count === 1 ? "1 dia" : `${count} dias`),
  byDefault: "Valor padrão da instalação",
  since: "Em vigor desde",
  setBy: (name: string) => `por ${name}`,
  scheduledTo: (value: string) => `Agendado: ${value}, a partir de`,
  edit: "Alterar",
  editOf: (name: string) => `Alterar ${name}`,
  removeScheduled: "Remover agendamento",
  removeScheduledOf: (name: string) => `Remover agendamento de ${name}`,
  removeScheduledTitle: "Remover a mudança agendada?",
  removeScheduledEffects: ["O valor em vigor continua valendo."],
  ownerOnly: "Só o proprietário da plataforma pode alterar.",
  starts: "Quando passa a valer",
  startsNow: "Agora",
  startsLater: "A partir de uma data",
  validFrom: "Válido a partir de",
  replaces: (day: string) => `Substitui a mudança agendada para ${day}.`,
  loosened:
    "Exigir menos aprovações só vale a partir do próximo dia útil. Proprietários e administradores recebem um e-mail.",
  alone:
    "Hoje só você pode aprovar. Até que haja outro proprietário ou administrador, os pedidos ficam aguardando.",
  save: "Salvar",
  saved: (name: string) => `${name}: mudança salva.`,
  scheduled: (name: string, day: string) => `${name}: mudança agendada para ${day}.`,
  removedScheduled: (name: string) => `${name}: agendamento removido.`,
  required: "requerido",
  amountInvalid: "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.",
  daysInvalid: (from: number, to: number) => `Informe de ${from} a ${to} dias.`,
  future: "A data deve ser futura.",
} as const;
