// The words of periods and of refreshing.

export const periodStrings = {
  period: {
    label: "Período",
    labelIn: (zone: string) => `Período (${zone})`,
    placeholder: "Qualquer data",
    today: "Hoje",
    options: {
      "1h": "Última hora",
      "12h": "Últimas 12 horas",
      "1d": "Últimas 24 horas",
      "1w": "Última semana",
      "15d": "Últimos 15 dias",
      "1m": "Último mês",
    },
    thisMonth: "Este mês",
    lastMonth: "Mês passado inteiro",
    previousMonth: "Mês anterior",
    nextMonth: "Próximo mês",
    previousYear: "Ano anterior",
    nextYear: "Próximo ano",
    previousDecade: "Década anterior",
    nextDecade: "Próxima década",
    chooseYear: "Escolher o ano",
    chooseMonth: "Escolher o mês",
    clear: "Limpar período",
  },
  refresh: {
    label: "Atualizar",
    off: "Manual",
    every: {
      5: "A cada 5 minutos",
      10: "A cada 10 minutos",
      15: "A cada 15 minutos",
      30: "A cada 30 minutos",
      60: "A cada hora",
      180: "A cada 3 horas",
      360: "A cada 6 horas",
      720: "A cada 12 horas",
      1440: "A cada 24 horas",
    },
    now: "Atualizar agora",
    at: (time: string) => `Atualizado às ${time}`,
    /** Takes the place of the time until the first answer. */
    unread: "--:--",
  },
} as const;
