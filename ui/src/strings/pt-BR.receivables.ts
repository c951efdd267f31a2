// The Portuguese strings of the receivables schedule.

import { dueInstallments, receivables, receivableUnits } from "../api/sheets.json";

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);

export const receivablesStrings = {
  receivables: {
    title: "Recebimentos",
    hint: "Quanto você recebe em cada dia (horário de Brasília) e o que já entrou no saldo.",
    figures: "Totais do período",
    expected: "Total do período",
    expectedHint: (installments: string) => `Valor líquido de ${installments}`,
    count: (count: number, shown: string) => `${shown} ${plural(count, "parcela", "parcelas")}`,
    settled: "Liquidado",
    settledHint: "Já entrou no saldo disponível",
    accelerated: "Antecipado por cancelamento",
    acceleratedHint: "Entrou no saldo e saiu com o cancelamento ou a contestação",
    scheduled: "Agendado",
    scheduledHint: "Ainda vai entrar no saldo",
    views: "Formas de ver a agenda",
    view: { calendar: "Calendário", list: "Por dia", units: "Unidades de recebíveis" },
    calendarOf: (month: string) => `Recebimentos de ${month}`,
    calendarHint:
      "Use as setas para mudar de dia, Page Up e Page Down para mudar de mês e Enter para abrir as parcelas do dia.",
    previousMonth: "Mês anterior",
    nextMonth: "Próximo mês",
    thisMonth: "Este mês",
    presets: { next7: "Próximos 7 dias", next30: "Próximos 30 dias", nextMonth: "Próximo mês" },
    weekdays: [
      ["dom", "domingo"],
      ["seg", "segunda-feira"],
      ["ter", "terça-feira"],
      ["qua", "quarta-feira"],
      ["qui", "quinta-feira"],
      ["sex", "sexta-feira"],
      ["sáb", "sábado"],
    ],
    dayState: {
      scheduled: "Agendado",
      partlySettled: "Parcialmente liquidado",
      settled: "Liquidado",
      accelerated: "Antecipado por cancelamento",
    },
    day: (date: string, expected: string, installments: string, state: string) =>
      `${date}: ${expected} em ${installments}, ${state}`,
    dayWithNothingDue: (date: string) => `${date}: nada previsto`,
    days: {
      table: "Recebimentos por dia",
      file: "recebimentos",
      columns: receivables,
      open: (date: string) => `Abrir as parcelas de ${date}`,
    },
    units: {
      table: "Unidades de recebíveis",
      hint: "Cada unidade de recebíveis reúne as parcelas com a mesma data prevista, titular, adquirente, bandeira e forma de pagamento.",
      file: "unidades-de-recebiveis",
      columns: receivableUnits,
      open: (unit: string, date: string) => `Abrir as parcelas de ${unit} em ${date}`,
    },
    installments: {
      title: (date: string) => `Parcelas de ${date}`,
      figures: "Totais das parcelas",
      table: "Parcelas",
      file: (date: string) => `parcelas-de-${date}`,
      columns: dueInstallments,
      number: (number: number, of: number) => `${number} de ${of}`,
      openSale: (code: string) => `Abrir a venda ${code}`,
      emptyTitle: "Nenhuma parcela",
      empty: "Nenhuma parcela para receber neste dia.",
    },
    emptyTitle: "Nada a receber neste período",
    empty: "As parcelas das suas vendas aparecem aqui na data em que entram no saldo.",
  },
} as const;
