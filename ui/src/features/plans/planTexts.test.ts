import { expect, test } from "vitest";
import { mergeForms } from "../../components/forms/mergeForms";
import { planTexts } from "./planTexts";

const opened = {
  description: "Loja",
  flat_rate: 0 as number | undefined,
  active: true,
  others: { debit: "1,99", credit: ["3,49", "3,99"], mdr: { credit_2to6: "" } },
};

test("a field that only the other user changed takes the saved value", () => {
  const typed = { ...opened, description: "Loja nova" };
  const saved = { ...opened, flat_rate: 50, others: { ...opened.others, credit: ["3,49", "4,10"] } };
  const { values, taken, conflicts } = mergeForms(opened, typed, saved, planTexts);
  expect(values).toEqual({ ...saved, description: "Loja nova" });
  expect(taken).toEqual(["tarifa fixa", "Outras bandeiras: crédito 2x"]);
  expect(conflicts).toEqual([]);
  // The merge changes a copy: this array is also that of the typed values.
  expect(opened.others.credit).toEqual(["3,49", "3,99"]);
});

test("a field that both users changed keeps the typed value and shows both", () => {
  const typed = { ...opened, flat_rate: undefined, active: false };
  const saved = { ...opened, flat_rate: 1_50, others: { ...opened.others, mdr: { credit_2to6: "4" } } };
  const { values, conflicts } = mergeForms(opened, typed, saved, planTexts);
  expect(values).toEqual({ ...typed, others: saved.others });
  expect(conflicts).toEqual([
    { field: "flat_rate", label: "tarifa fixa", saved: "R$\u00a01,50", typed: "vazio" },
  ]);
});

test("a conflict of the start shows both dates in Brazilian order", () => {
  const dates = (valid_from: string) => ({ ...opened, valid_from });
  const { conflicts } = mergeForms(dates("2026-12-01"), dates("2026-12-15"), dates("2027-01-04"), planTexts);
  expect(conflicts).toEqual([
    { field: "valid_from", label: "válido a partir de", saved: "04/01/2027", typed: "15/12/2026" },
  ]);
});

test("two users who make the same change have no conflict", () => {
  const both = { ...opened, description: "Loja nova" };
  const { taken, conflicts } = mergeForms(opened, { ...both, description: "Loja nova " }, both, planTexts);
  expect([taken, conflicts]).toEqual([[], []]);
});
