// The texts of statuses of sales, receivables, withdrawals and exceptions, of their history, and of nameless authors.

import { AuthorKind, ExceptionStatus, ReceivableStatus, SaleStatus, TransferStatus } from "../api/words.json";

export const statusStrings = {
  /** The specification lists `paid` too. */
  status: { ...SaleStatus, paid: "Pago" },
  receivableStatus: ReceivableStatus,
  transferStatus: TransferStatus,
  exceptionStatus: ExceptionStatus,
  authors: AuthorKind,
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
    reserve_released: "Reserva liberada",
    dispute_won: "Contestação ganha",
    charged_back: "Chargeback",
    part_refunded: "Estorno de parte da venda",
    refund_answered: "Resposta da adquirente ao estorno",
    named: "Identificadores informados pela adquirente",
  },
  /** Beside the status of a sale of which the buyer got a part back. */
  partRefunded: (amount: string) => `${amount} estornados`,
  partChargedBack: (amount: string) => `${amount} em chargeback`,
  blocked: {
    inDispute: "Em contestação",
    held: "Bloqueado pela plataforma",
    both: (disputed: string, held: string) => `${disputed} em contestação; ${held} bloqueado pela plataforma`,
    none: "Em contestação ou bloqueado pela plataforma",
    see: "Ver valores retidos",
  },
} as const;
