// The words and options that the specification fixes.
import { expect, it } from "vitest";
import { EXCLUDED_BRANDS, MAIN_BRANDS, OTHER_BRANDS } from "../format/brands";
import { accountTypeText, approvalText } from "../format/business";
import { brandName, solutionName } from "../format/payment";
import { PERIOD_OPTIONS, REFRESH_MINUTES } from "../format/periods";
import { STATES } from "../format/states";
import { strings } from "./pt-BR";
import { balanceStrings } from "./pt-BR.balance";
import { periodStrings } from "./pt-BR.period";
import { reversalsStrings } from "./pt-BR.reversals";
import { statusStrings } from "./pt-BR.status";
import { terminalStrings } from "./pt-BR.terminals";
import { withdrawalsStrings } from "./pt-BR.withdrawals";

it.each([
  ["enabled", "Aprovado"],
  ["denied", "Negado"],
  ["deleted", "Deletado"],
  ["new", "Não definido"],
  ["toString", "Não definido"],
  [null, "Não definido"],
])("a company that is %s reads %s", (approval, text) => expect(approvalText(approval)).toBe(text));

it.each([
  ["CHECKING", "Conta Corrente"],
  ["SAVINGS", "Conta Poupança"],
  ["CHECKING_CONJUNCT", "Conta Corrente Conjunta"],
  ["SAVINGS_CONJUNCT", "Conta Poupança Conjunta"],
  ["PAYMENT", "PAYMENT"],
])("an account %s reads %s", (type, text) => expect(accountTypeText(type)).toBe(text));

it("offers the 27 states once each", () => {
  expect(new Set(STATES).size).toBe(27);
  expect(STATES.toSorted()).toEqual(STATES);
});

it("names every card brand, and excludes two from plans", () => {
  for (const brand of [...MAIN_BRANDS, ...OTHER_BRANDS]) expect(brandName(brand)).not.toBe(brand);
  for (const brand of EXCLUDED_BRANDS) {
    const code = brand.replace("-", "");
    expect(brandName(code)).not.toBe(code);
    expect<readonly string[]>([...MAIN_BRANDS, ...OTHER_BRANDS]).not.toContain(brand);
  }
});

it("names the solutions", () => {
  expect([1, 2, 3, 4].map(solutionName)).toEqual([
    "Maquininha",
    "E-commerce",
    "Info Produto",
    "Link de pagamento",
  ]);
});

it("has a name for each kind and status of transfers, and for each billing and fee type", () => {
  expect(Object.keys(balanceStrings.movementKind)).toEqual(["0", "1", "2", "3", "4"]);
  expect(Object.keys(withdrawalsStrings.transferKind)).toEqual(["0", "1", "2"]);
  expect(Object.values(statusStrings.transferStatus)).toHaveLength(5);
  expect(terminalStrings.billingTypes).toEqual({ 0: "Adesão", 1: "Aluguel" });
  expect(strings.feeTypes).toEqual({ false: "Taxa Efetiva", true: "Taxa MDR" });
});

it("labels the statuses and the events of a sale", () => {
  expect(statusStrings.status).toMatchObject({
    succeeded: "Aprovado",
    paid: "Pago",
    canceled: "Cancelado",
    failed: "Falha",
    reversed: "Estornado",
    pending: "Pendente",
  });
  expect(statusStrings.eventLabels).toMatchObject({
    created: "Criado",
    authorization: "Autorização",
    proposal: "Autorização",
    paid: "Pago",
    reversal: "Estornado",
    disputed: "Contestado",
  });
});

it("names the result of a reversal", () => {
  const { reversal } = reversalsStrings;
  expect([reversal.cancel.doneTitle, reversal.dispute.doneTitle]).toEqual([
    "Venda cancelada",
    "Venda disputada",
  ]);
  expect(reversal.insufficientTitle).toBe("O saldo disponível não é suficiente para cancelar a venda");
  expect(reversal.insufficientNeed).toBe(
    "É preciso ter o valor da venda que você quer cancelar no saldo disponível.",
  );
  expect(reversal.insufficientAdvice).toBe(
    "Você pode aguardar o aumento dos seus recebimentos ou fazer novas vendas.",
  );
  expect(reversal.backToSale).toBe("Voltar para a Venda");
});

it("offers these periods and refresh intervals", () => {
  expect(PERIOD_OPTIONS.map((option) => periodStrings.period.options[option])).toEqual([
    "Última hora",
    "Últimas 12 horas",
    "Últimas 24 horas",
    "Última semana",
    "Últimos 15 dias",
    "Último mês",
  ]);
  expect(REFRESH_MINUTES).toEqual([5, 10, 15, 30, ...[1, 3, 6, 12, 24].map((hours) => hours * 60)]);
});

it("has the texts that many screens share", () => {
  expect([strings.buttons.cancel, strings.buttons.confirm, strings.list.noOptions]).toEqual([
    "Cancelar",
    "Confirmar",
    "Vázio",
  ]);
  expect(strings.reloading).toBe("Loading...");
  expect(strings.defaultTitle).toBe("Painel do vendedor");
});

it("names the groups of staff and of sellers", () => {
  expect(strings.staffRoles).toMatchObject({
    admin: "Administrador",
    financial: "Financeiro",
    "commercial-supervisor": "Supervisor Comercial",
    commercial: "Comercial",
    sac: "SAC",
  });
  expect(strings.roles).toMatchObject({ admin: "Administrador", operator: "Operador" });
});
