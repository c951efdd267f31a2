import { expect, it } from "vitest";
import { Failure, fieldTextsOrMessage } from "./failure";

const tooMany = { message: "Muitas tentativas." };

it.each([
  ["1", "Muitas tentativas. Tente de novo em 1 segundo."],
  ["30", "Muitas tentativas. Tente de novo em 30 segundos."],
  ["590", "Muitas tentativas. Tente de novo em 10 minutos."],
  [null, "Muitas tentativas."],
  ["Wed, 21 Oct 2026 07:28:00 GMT", "Muitas tentativas."],
])("says how long to wait if the header has seconds: %s", (header, message) => {
  expect(new Failure(429, tooMany, header).message).toBe(message);
});

it("has a support code for server errors only", () => {
  const problem = { message: "Algo deu errado.", request_id: "req_1" };
  expect(new Failure(500, problem).code).toBe("req_1");
  expect(new Failure(422, problem).code).toBeUndefined();
});

it("shows the texts of the fields in place of the message", () => {
  const errors = { end: ["O período pode ter até dois anos."] };
  const refused = new Failure(422, { message: "Confira os campos destacados.", errors });
  expect(fieldTextsOrMessage(refused)).toBe("O período pode ter até dois anos.");
  expect(fieldTextsOrMessage(new Failure(500, tooMany))).toBe("Muitas tentativas.");
});

it("names no waiting time if waiting does not help", () => {
  expect(new Failure(403, { message: "Não." }, "30").message).toBe("Não.");
});

it("keeps everything else when its fields or its message change", () => {
  const problem = {
    type: "/problems/duplicate-transfer",
    message: "Confira os campos destacados.",
    request_id: "req_1",
    balance: { available: 12_500, covered_on: null, needed: 29_100 },
    errors: { value: ["Informe um valor."], reason: ["Informe o motivo."] },
  };
  const refused = new Failure(500, problem);
  expect(refused.withFieldNames((field) => (field === "value" ? "amount" : undefined))).toMatchObject({
    status: 500,
    type: problem.type,
    message: problem.message,
    code: "req_1",
    balance: problem.balance,
    fields: { amount: "Informe um valor." },
  });
  const partly = refused.withMessage("2 de 3 feitos.");
  expect(partly).toMatchObject({
    status: 500,
    type: problem.type,
    message: "2 de 3 feitos.",
    code: "req_1",
    balance: problem.balance,
  });
  expect(partly.fields).toEqual({});
});
