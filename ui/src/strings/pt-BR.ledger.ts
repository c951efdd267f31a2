// The words of the ledger in the staff's panel: past balances, the journal, and rentals.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

import { journal } from "../api/sheets.json";
import { EventType } from "../api/words.json";

export const ledgerStrings = {
  asOf: {
    title: "Saldo em uma data",
    hint: "Consulte o saldo e o extrato como estavam em uma data e hora.",
    instant: "Data e hora",
    placeholder: "DD/MM/AAAA HH:mm:ss",
    instantRequired: "Informe uma data e uma hora válidas.",
    instantAhead: "Informe uma data e uma hora já passadas.",
    zone: (zone: string) => `Fuso horário: ${zone}`,
    axis: "Considerar",
    axes: { recorded: "Registrado até", effective: "Ocorrido até" },
    axisHints: {
      recorded: "O que já estava registrado naquele momento.",
      effective: "O que já tinha ocorrido até aquele momento, mesmo que registrado depois.",
    },
    show: "Consultar saldo",
    past: (axis: string, instant: string) => `Saldo de uma data passada: ${axis.toLowerCase()} ${instant}`,
    pastHint: "Os saldos, o extrato e o razão abaixo são os dessa data.",
    back: "Voltar ao saldo atual",
    counted: "Último evento considerado",
    eventNumber: (sequence: string) => `nº ${sequence}`,
    noneCounted: "Nenhum evento ainda",
    transfersAreNow: "Os saques abaixo mostram o status atual, não o daquela data.",
    accounts: "Saldo de cada conta",
  },
  journal: {
    table: "Razão",
    hint: "Cada valor sai de uma conta e entra em outra. Por isso, a soma dos lançamentos de um evento é zero.",
    axes: {
      effective: "Em ordem de data do lançamento.",
      recorded: "Em ordem de data de registro.",
    },
    columns: journal,
    account: "Conta",
    all: "Todas",
    openEvent: (sequence: string) => `Ver o evento ${sequence}`,
    emptyTitle: "Nenhum lançamento",
    empty: "O razão mostra cada lançamento de cada evento desta empresa.",
    nothingFoundTitle: "Nenhum lançamento com esses filtros",
    nothingFound: "Mude a conta ou o período, ou limpe os filtros, para ver outros lançamentos.",
    file: "razao",
    /** An event without a translation shows its own name. */
    events: EventType,
  },
  rentalCancel: {
    open: "Cancelar aluguel",
    title: "Cancelar aluguel de maquininha",
    hint: "O valor volta para o saldo disponível da empresa. Um aluguel cancelado não é cobrado de novo.",
    amount: "Valor devolvido",
    chargedAt: "Cobrado em",
    available: "Saldo disponível",
    after: "Saldo após o cancelamento",
    reason: "Motivo (opcional)",
    reasonTooLong: "O motivo deve ter até 200 caracteres.",
    submit: "Cancelar aluguel",
    back: "Voltar",
    done: (amount: string) => `Aluguel cancelado: ${amount} de volta ao saldo disponível.`,
    disabledReasons: { status: "Só um aluguel cobrado pode ser cancelado." },
    row: (amount: string) => `aluguel de ${amount}`,
  },
} as const;
