// The texts of statuses of sales, receivables, withdrawals and exceptions, of their history, and of nameless authors.

import { SaleStatus } from "../api/words.json";

export const statusStrings = {
  /** The specification lists `paid` too. */
  status: { ...SaleStatus, paid: "Pago" },
  receivableStatus: {
    scheduled: "Agendado",
    settled: "Liquidado",
    accelerated: "Antecipado por cancelamento",
    refunded: "Usado em estorno ou contestação",
  },
  transferStatus: { 0: "Pendente", 1: "Concluído", 2: "Em processamento", 3: "Recusado", 4: "Falha" },
  exceptionStatus: { waiting: "Aguardando", resolved: "Resolvida", closed: "Encerrada" },
  authors: {
    seller: "Usuário excluído",
    staff: "Equipe da plataforma",
    acquirer: "Adquirente",
    bank: "Banco",
    automatic: "Sistema",
    /** Old records do not say whether a seller or staff acted. */
    platform: "Plataforma",
  },
  eventLabels: {
    created: "Criado",
    authorization: "Autorização",
    proposal: "Autorização",
    paid: "Pago",
    reversal: "Estornado",
    disputed: "Contestado",
    failed: "Falha",
    canceled: "Cancelado",
    settled: "Parcela liquidada",
    dispute_won: "Contestação ganha",
    charged_back: "Chargeback",
    part_refunded: "Estorno de parte da venda",
    refund_answered: "Resposta da adquirente ao estorno",
  },
  /** Beside the status of a sale of which the buyer got a part back. */
  partRefunded: (amount: string) => `${amount} estornados`,
  partChargedBack: (amount: string) => `${amount} em chargeback`,
  blocked: {
    inDispute: "Em contestação",
    held: "Bloqueado pela plataforma",
    both: (disputed: string, held: string) => `${disputed} em contestação; ${held} bloqueado pela plataforma`,
    none: "Em contestação ou bloqueado pela plataforma",
    /** For sellers, after the amount that the platform holds. */
    askSupport: (text: string) => `${text}. Dúvidas? Fale com o suporte.`,
  },
} as const;
