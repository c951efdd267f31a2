import { expect, it } from "vitest";
import type { PlatformSetting } from "../../api/models";
import { type RuleKey, ruleBody, ruleErrors, ruleShift, ruleText, ruleValues, valueField } from "./rules";

const TODAY = "2026-11-21";
const setting = (key: RuleKey, value: PlatformSetting["value"]): PlatformSetting => ({
  key,
  value,
  valid_from: null,
  set_by: null,
  scheduled: null,
  revision: 3,
});
const valuesOf = (of: PlatformSetting) => ruleValues(of, (instant) => instant.slice(0, 10));
const plain = (text: string) => text.replaceAll("\u00a0", " ");

it.each([
  ["terminal_rental", 4990, "R$ 49,90"],
  ["two_approvals_above", null, "Nenhum saque"],
  ["two_approvals_above", 0, "Todos os saques"],
  ["two_approvals_above", 500_000, "Acima de R$ 5.000,00"],
  ["credits_alone_up_to", 100_000, "Até R$ 1.000,00 em 24 horas"],
  ["removals_alone_up_to", null, "Qualquer valor"],
  ["releases_alone_up_to", 0, "Sempre com duas pessoas"],
  ["plan_exceptions_alone_up_to", 50_000, "Até R$ 500,00 por mês, em 24 horas"],
  ["two_person_plan_changes", true, "Sim"],
  ["marked_destination_days", 0, "Sem destaque"],
  ["marked_destination_days", 1, "1 dia"],
  ["marked_destination_days", 7, "7 dias"],
  ["buyer_data_days", 1826, "1826 dias"],
  ["two_person_company_approvals", false, "Não"],
  ["returned_withdrawal_fee", true, "Sim"],
  ["documents_of_pf", [], "Nenhum documento"],
  ["documents_of_pj", ["identity", "articles"], "Documento de identidade, Contrato social"],
] as [RuleKey, PlatformSetting["value"], string][])(
  "the value of %s, %s, has the text %s",
  (key, value, text) => expect(plain(ruleText(key, value))).toBe(text),
);

it.each([
  ["terminal_rental", 4990],
  ["two_approvals_above", null],
  ["two_approvals_above", 0],
  ["credits_alone_up_to", 100_000],
  ["removals_alone_up_to", null],
  ["two_person_plan_changes", false],
  ["marked_destination_days", 7],
  ["buyer_data_days", 1826],
  ["two_person_company_approvals", true],
  ["documents_of_pf", []],
  ["documents_of_pj", ["identity", "articles"]],
] as [RuleKey, PlatformSetting["value"]][])(
  "an unchanged value of %s, %s, is sent as it was read",
  (key, value) => {
    const of = setting(key, value);
    expect(ruleErrors(key, valuesOf(of), TODAY)).toEqual({});
    expect(ruleBody(of, valuesOf(of))).toEqual({ key, value, revision: 3 });
  },
);

it("starts from the scheduled value and its day", () => {
  const scheduled = { value: 5990, valid_from: "2026-12-01T03:00:00Z", set_by: null };
  const of = { ...setting("terminal_rental", 4990), scheduled };
  expect(valuesOf(of)).toMatchObject({ amount: 5990, starts: "later", valid_from: "2026-12-01" });
  expect(ruleBody(of, valuesOf(of))).toMatchObject({ valid_from: "2026-12-01T03:00:00.000Z" });
});

it("reports missing and invalid fields", () => {
  const rental = valuesOf(setting("terminal_rental", 0));
  const range = "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.";
  expect(ruleErrors("terminal_rental", rental, TODAY)).toEqual({ amount: range });
  const later = { ...rental, amount: undefined, starts: "later" as const };
  const missing = { amount: "requerido", valid_from: "requerido" };
  expect(ruleErrors("terminal_rental", later, TODAY)).toEqual(missing);
  const past = { ...rental, amount: 1, starts: "later" as const, valid_from: TODAY };
  expect(ruleErrors("terminal_rental", past, TODAY)).toEqual({ valid_from: "A data deve ser futura." });
  const days = valuesOf(setting("marked_destination_days", 91));
  expect(ruleErrors("marked_destination_days", days, TODAY)).toEqual({ days: "Informe de 0 a 90 dias." });
  const cut = { ...days, days: "36530" };
  expect(ruleErrors("buyer_data_days", cut, TODAY)).toEqual({ days: "Informe de 180 a 3653 dias." });
  const limit = { ...rental, limit: "above" as const, amount: undefined };
  expect(ruleErrors("two_approvals_above", limit, TODAY)).toEqual({ amount: "requerido" });
});

it("shows a refused value at a visible field", () => {
  expect(valueField("two_approvals_above", { limit: "never" })).toBe("limit");
  expect(valueField("two_approvals_above", { limit: "above" })).toBe("amount");
  expect(valueField("terminal_rental", { limit: "above" })).toBe("amount");
  expect(valueField("two_person_plan_changes", { limit: "above" })).toBe("flag");
  expect(valueField("buyer_data_days", { limit: "above" })).toBe("days");
  expect(valueField("two_person_company_approvals", { limit: "above" })).toBe("flag");
  expect(valueField("returned_withdrawal_fee", { limit: "above" })).toBe("flag");
  expect(valueField("documents_of_pj", { limit: "above" })).toBe("documents");
});

it.each([
  ["two_person_plan_changes", true, false, "looser"],
  ["two_person_plan_changes", false, true, "tighter"],
  ["two_person_plan_changes", true, true, "same"],
  ["two_person_company_approvals", true, false, "looser"],
  ["returned_withdrawal_fee", true, false, "same"],
  ["documents_of_pj", ["identity"], [], "same"],
  ["two_approvals_above", 100, 101, "looser"],
  ["two_approvals_above", 0, null, "looser"],
  ["two_approvals_above", null, 100, "tighter"],
  ["credits_alone_up_to", 100_000, 100_001, "looser"],
  ["removals_alone_up_to", null, 100, "tighter"],
  ["two_approvals_above", 100, 0, "tighter"],
  ["marked_destination_days", 7, 0, "same"],
] as [RuleKey, PlatformSetting["value"], PlatformSetting["value"], string][])(
  "%s from %s to %s is %s",
  (key, before, after, shift) =>
    expect(ruleShift(setting(key, before), valuesOf(setting(key, after)))).toBe(shift),
);
