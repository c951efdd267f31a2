import { expect, test } from "vitest";
import type { ZodMiniType } from "zod/mini";
import { billingSchema, companySchema, enableSchema, nameSchema } from "./schemas";

function faults(schema: ZodMiniType, values: unknown): Record<string, string> {
  const { error } = schema.safeParse(values);
  return Object.fromEntries(
    (error?.issues ?? []).toReversed().map(({ path, message }) => [path.join("."), message]),
  );
}

test("enabling needs a company, a token of eight digits and a serial number", () => {
  expect(faults(enableSchema, { business: "", token: " ", serial_number: "" })).toEqual({
    business: "requerido",
    token: "requerido",
    serial_number: "requerido",
  });
  expect(faults(enableSchema, { business: "biz_1", token: "1234567", serial_number: "PDV 1" })).toEqual({
    token: "O token deve ter 8 dígitos.",
    serial_number: "O número de série deve ter até 40 letras, números e sinais, sem espaços.",
  });
  expect(faults(enableSchema, { business: "biz_1", token: " 12345678 ", serial_number: "PDV1" })).toEqual({});
});

test("a company is required", () => {
  expect(faults(companySchema, { business_id: "" })).toEqual({ business_id: "requerido" });
});

test("a billing needs a type, a rental needs a rented terminal, and a given price must be positive", () => {
  expect(faults(billingSchema, { billing_type: "", acquisition: "0" })).toEqual({
    billing_type: "Selecione uma opção",
  });
  expect(faults(billingSchema, { billing_type: "1", acquisition: "0" })).toEqual({
    acquisition: "Uma maquininha comprada não paga aluguel.",
  });
  expect(faults(billingSchema, { billing_type: "1", acquisition: "1", rental_price: 0 })).toEqual({
    rental_price: "O valor deve ser de R$ 0,01 a R$ 99.999.999,99.",
  });
  expect(faults(billingSchema, { billing_type: "1", acquisition: "1", rental_price: undefined })).toEqual({});
});

test("a name has sixty characters at most and may be blank", () => {
  expect(faults(nameSchema, { name: "é".repeat(61) })).toEqual({
    name: "O nome deve ter até 60 caracteres, em uma linha.",
  });
  expect(faults(nameSchema, { name: "é".repeat(60) })).toEqual({});
  expect(faults(nameSchema, { name: "  " })).toEqual({});
});
