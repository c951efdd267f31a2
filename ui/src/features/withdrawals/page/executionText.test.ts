import { expect, test } from "vitest";
import type { ExecutionStep } from "../../../api/models";
import { bankIdOf, stepCodes, stepDetails, stepTitle } from "./executionText";

const step: ExecutionStep = {
  kind: "order",
  at: "2026-11-27T13:52:41.204Z",
  answered_at: "2026-11-27T13:52:51.204Z",
  author: null,
  key: "pay_1",
  attempt: 1,
  outcome: "no_answer",
  http_status: null,
  fault: null,
  bank_id: null,
  reason: null,
};

test("a call without an answer says how long it waited, and that nothing was sent again", () => {
  expect(stepTitle(step)).toBe("Pedido enviado ao banco");
  expect(stepDetails(step)).toEqual(["tentativa 1", "sem resposta em 10,0 s", "nada foi reenviado"]);
  expect(stepCodes(step)).toEqual([]);
});

test("staff also read the status and the code of the fault", () => {
  const ofStaff: ExecutionStep = { ...step, outcome: "rejected", http_status: 401, fault: "not_authorized" };
  expect(stepDetails(ofStaff).slice(2)).toEqual(["HTTP 401", "not_authorized"]);
});

test("a call that waits for its answer has no duration", () => {
  const waiting: ExecutionStep = { ...step, kind: "look_up", answered_at: null, outcome: "waiting" };
  expect(stepDetails(waiting)).toEqual(["aguardando resposta"]);
});

test("the key stands where it is made, and the last id of the bank counts", () => {
  const author = { kind: "staff" as const, name: null };
  const made: ExecutionStep = {
    ...step,
    kind: "processing",
    attempt: null,
    outcome: null,
    answered_at: null,
    author,
  };
  expect(stepDetails(made)).toEqual(["chave única criada", "Equipe da plataforma"]);
  expect(stepCodes(made)).toEqual(["pay_1"]);
  const found: ExecutionStep = { ...step, kind: "look_up", outcome: "paid", bank_id: "E2" };
  expect(bankIdOf([{ ...found, bank_id: "E1" }, found, made])).toBe("E2");
  expect(bankIdOf(undefined)).toBeUndefined();
});
