import { expect, it } from "vitest";
import {
  changesPrices,
  formField,
  pastedRates,
  planBody,
  planErrors,
  planSchema,
  planValues,
  startOf,
  termsBody,
} from "./planForm";

const TODAY = "2026-11-21";
const empty = planValues(undefined, () => "");

function filled(mdr: "true" | "false") {
  const group = {
    debit: "1,99",
    credit: empty.visamaster.credit.map(() => "3,49"),
    mdr: { advance: "0", debit: "1", credit_1: "2", credit_2to6: "3", credit_7to12: "4", credit_13to21: "5" },
  };
  return {
    ...empty,
    description: "Loja",
    solution_id: "1",
    mdr,
    percentage_rate: "0,35",
    flat_rate: 30,
    settlement_days: "2",
    visamaster: group,
    others: group,
    pix_percent: "0,99",
  };
}

it("requires the fields that the specification requires", () => {
  const errors = planErrors(empty, TODAY);
  for (const field of [
    "description",
    "solution_id",
    "percentage_rate",
    "flat_rate",
    "settlement_days",
    "boleto_fee",
  ])
    expect(errors[field]).toBe("requerido");
  expect(errors.pix_percent).toBe("requerido");
  // Two groups of brands, each with one debit fee and 21 credit fees.
  expect(Object.values(errors).filter((message) => message === "Valor inválido")).toHaveLength(2 * 22);
  const mdr = planErrors({ ...empty, mdr: "true" }, TODAY);
  expect(mdr["others.mdr.advance"]).toBe("requerido");
});

it("refuses a card fee of zero, except for the advance", () => {
  expect(planErrors(filled("true"), TODAY)).toEqual({});
  expect(planErrors(filled("false"), TODAY)).toEqual({});
  const values = filled("false");
  const zero = { ...values, others: { ...values.others, debit: "0" } };
  expect(planErrors(zero, TODAY)).toEqual({ "others.debit": "Valor inválido" });
  const { others, ...mdr } = filled("true");
  const zeroBand = { ...mdr, others: { ...others, mdr: { ...others.mdr, credit_2to6: "0" } } };
  expect(planErrors(zeroBand, TODAY)).toEqual({ "others.mdr.credit_2to6": "Valor inválido" });
});

it("refuses a fee above the gateway's limit of 99 %", () => {
  const values = filled("false");
  const credit = values.others.credit.map((fee, index) => (index === 4 ? "100" : fee));
  const above = {
    ...values,
    percentage_rate: "99,01",
    pix_percent: "100",
    others: { ...values.others, credit },
  };
  const invalid = "Valor inválido";
  expect(planErrors(above, TODAY)).toEqual({
    percentage_rate: invalid,
    pix_percent: invalid,
    "others.credit.4": invalid,
  });
  expect(planErrors({ ...values, percentage_rate: "99" }, TODAY)).toEqual({});
});

it("refuses settlement days above 99 and a start that is not in the future", () => {
  const values = filled("false");
  expect(planErrors({ ...values, settlement_days: "100" }, TODAY)).toEqual({
    settlement_days: "Deve ser de 0 a 99.",
  });
  expect(planErrors({ ...values, starts: "later", valid_from: TODAY }, TODAY)).toEqual({
    valid_from: "A data deve ser futura.",
  });
});

it("reports the error of a nested field under the field's path", () => {
  const values = filled("false");
  const result = planSchema(TODAY).safeParse({
    ...values,
    others: { ...values.others, credit: values.others.credit.map((fee, index) => (index === 4 ? "0" : fee)) },
  });
  expect(result.error?.issues.map(({ path }) => path)).toEqual([["others", "credit", "4"]]);
});

it("sends the fees of each brand for Taxa Efetiva, and the fees by band for Taxa MDR", () => {
  const effective = planBody(filled("false"), 3);
  // 14 brands, each with one debit fee and 21 credit fees.
  expect("fees" in effective && effective.fees).toHaveLength(14 * 22);
  expect(effective).toMatchObject({ percentage_rate: "0.35", pix_fee: "0.99", revision: 3, solution_id: 1 });
  const mdr = termsBody(filled("true"));
  expect(mdr).toMatchObject({
    mdr: true,
    mdr_advance_fee_others: "0",
    mdr_credit_13to21_fee_visamaster: "5",
  });
  expect("fees" in mdr).toBe(false);
});

it("shows the impact of new terms, of another start of scheduled terms, and of a new default", () => {
  const inForce = filled("true");
  const scheduled = { ...inForce, starts: "later" as const, valid_from: "2026-12-01" };
  expect(changesPrices({ ...inForce, description: "Outra" }, inForce, true)).toBe(false);
  expect(changesPrices({ ...inForce, flat_rate: 40 }, inForce, true)).toBe(true);
  expect(changesPrices({ ...scheduled, starts: "now" }, scheduled, true)).toBe(true);
  expect(changesPrices({ ...scheduled, valid_from: "2026-12-05" }, scheduled, true)).toBe(true);
  // Terms in force do not start again, so a later start alone changes no price.
  expect(changesPrices(scheduled, inForce, true)).toBe(false);
  expect(changesPrices({ ...inForce, default: true }, inForce, false)).toBe(true);
});

it("starts a business date at midnight in Brasília", () => {
  expect(startOf("2027-01-04")).toBe("2027-01-04T03:00:00.000Z");
});

it.each([
  ["fees.visa.debit", "visamaster.debit"],
  ["fees.elo.12", "others.credit.11"],
  ["mdr_credit_2to6_fee_others", "others.mdr.credit_2to6"],
  ["description", "description"],
])("the gateway's field %s is the form's field %s", (field, path) => expect(formField(field)).toBe(path));

it("reads the rates of a spreadsheet's column or row, but not a single rate", () => {
  expect(pastedRates("3,49%\r\n4.19\n 5 \n")).toEqual(["3,49", "4,19", "5"]);
  expect(pastedRates("3,49\t4,19")).toEqual(["3,49", "4,19"]);
  expect(pastedRates("3,49")).toBeUndefined();
});
