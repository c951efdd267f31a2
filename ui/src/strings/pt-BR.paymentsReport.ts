// The words of the report of payments, for staff. The other reports do not load them.

const plural = (count: number, one: string, many: string) => (count === 1 ? one : many);
const withdrawals = (count: number, text: string) => `${text} ${plural(count, "saque", "saques")}`;

export const paymentsReportStrings = {
  tabs: "Partes do relatório",
  withdrawals: "Saques",
  settled: "Vendas liquidadas",
  figures: "Saques por status, sem a tarifa",
  note: {
    0: (count: number, text: string) => `${withdrawals(count, text)} aguardando aprovação`,
    1: (count: number, text: string) => `${withdrawals(count, text)} na conta da empresa`,
    2: (count: number, text: string) => `${withdrawals(count, text)} a caminho do banco`,
    3: (count: number, text: string) => `${withdrawals(count, text)} de volta ao saldo`,
    4: (count: number, text: string) => `${withdrawals(count, text)} de volta ao saldo`,
  },
  behind: "Ver saques",
};
