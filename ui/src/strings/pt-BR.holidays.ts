// The words of the banking calendar.
// Read by the pages that need them, not through pt-BR.ts, which every page loads.

import { HolidayKind } from "../api/words.json";

export const holidaysStrings = {
  hint: "Dias em que os bancos não liquidam. Os nacionais já estão no calendário.",
  title: (year: number) => `Feriados de ${year}`,
  previousYear: "Ano anterior",
  nextYear: "Próximo ano",
  kinds: HolidayKind,
  add: "Novo feriado",
  addTitle: "Novo feriado local",
  submit: "Adicionar feriado",
  date: "Data",
  name: "Nome",
  nameHint: "Até 60 caracteres.",
  dateRequired: "Informe a data.",
  dateInvalid: "Informe uma data no formato DD/MM/AAAA.",
  datePast: "A data deve ser hoje ou posterior.",
  nameRequired: "Informe o nome do feriado.",
  nameTooLong: "O texto deve ter até 60 caracteres.",
  effects: "O que muda",
  isHoliday: (name: string) => `Esta data já é feriado: ${name}.`,
  isWeekend: "Esta data cai em fim de semana, quando os bancos já não liquidam. Nada muda.",
  promised: (count: number, shown: string, amount: string) =>
    count === 1
      ? `A parcela já prometida para este dia (${amount}) continua com este vencimento.`
      : `As ${shown} parcelas já prometidas para este dia (${amount}) continuam com este vencimento.`,
  nothingPromised: "Nenhuma parcela foi prometida para este dia.",
  movedTo: (day: string) => `As parcelas de novas vendas que venceriam neste dia passam para ${day}.`,
  remove: "Remover",
  removeOf: (name: string) => `Remover ${name}`,
  removeTitle: (name: string) => `Remover ${name}?`,
  removeEffects: [
    "As próximas vendas podem voltar a vencer neste dia.",
    "As parcelas que já foram adiadas continuam como estão.",
  ],
  added: (name: string) => `Feriado adicionado: ${name}.`,
  removed: (name: string) => `Feriado removido: ${name}.`,
} as const;
