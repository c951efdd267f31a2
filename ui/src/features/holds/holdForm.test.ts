import { expect, it } from "vitest";
import { documentsOf, NEW_HOLD, placeBody, placeSchema, releaseSchema } from "./holdForm";

const errorsOf = (schema: { safeParse: (values: unknown) => unknown }, values: unknown) => {
  const { error } = schema.safeParse(values) as {
    error?: { issues: readonly { path: readonly PropertyKey[] }[] };
  };
  return (error?.issues ?? []).map(({ path }) => path.join("."));
};

it("reads one document a line, once each", () => {
  expect(documentsOf(" Nota  fiscal \n\nContrato\nNota fiscal\n")).toEqual(["Nota fiscal", "Contrato"]);
});

it("asks for the case and the court of a judicial hold only", () => {
  const filled = { ...NEW_HOLD, amount: 100, reason: "Ordem" };
  expect(errorsOf(placeSchema, filled)).toEqual([]);
  expect(errorsOf(placeSchema, { ...filled, kind: "judicial" })).toEqual(["case_number", "court"]);
  expect(errorsOf(placeSchema, NEW_HOLD)).toEqual(["amount", "reason"]);
});

it("sends only what was typed", () => {
  const values = { ...NEW_HOLD, amount: 100, reason: " Ordem ", case_number: "1" };
  expect(placeBody("biz_1", values)).toEqual({
    business_id: "biz_1",
    kind: "analysis",
    amount: 100,
    reason: "Ordem",
  });
  expect(placeBody("biz_1", { ...values, kind: "judicial", court: "Vara", until: "2030-01-02" })).toEqual({
    business_id: "biz_1",
    kind: "judicial",
    amount: 100,
    reason: "Ordem",
    until: "2030-01-02",
    case_number: "1",
    court: "Vara",
  });
});

it("releases nothing only of an order that holds nothing", () => {
  const nothing = { amount: undefined, reason: "Levantado" };
  expect(errorsOf(releaseSchema(true), nothing)).toEqual([]);
  expect(errorsOf(releaseSchema(false), nothing)).toEqual(["amount"]);
});
