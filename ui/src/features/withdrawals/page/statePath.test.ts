import { expect, test } from "vitest";
import type { ExecutionStep } from "../../../api/models";
import { APPROVED, PENDING, PROCESSING, REFUSED } from "../transferCodes";
import { durationText, pathOf } from "./statePath";

const step = (kind: ExecutionStep["kind"], author: "seller" | "staff" | "bank" | null, key: string | null) =>
  ({
    kind,
    at: "2026-11-27T13:49:12Z",
    author: author && { kind: author, name: null },
    key,
  }) as ExecutionStep;

const requested = step("requested", "seller", null);
const titles = (status: 0 | 1 | 2 | 3 | 4, steps: readonly ExecutionStep[]) =>
  pathOf(status, steps).map(({ title, tone }) => [title, tone]);

test("an order that is sent again is one state, and what is to come follows", () => {
  const order = step("order", null, "pay_1");
  const steps = [
    requested,
    step("processing", "staff", "pay_1"),
    order,
    step("look_up", null, "pay_1"),
    order,
  ];
  const sofar = [
    ["Solicitado", "good"],
    ["Aprovado", "good"],
    ["Enviado ao banco", "good"],
  ];
  expect(titles(PROCESSING, steps)).toEqual([...sofar, ["Pago", "next"]]);
  expect(titles(APPROVED, [...steps, step("paid", "bank", "pay_1")])).toEqual([...sofar, ["Pago", "good"]]);
  expect(titles(PENDING, [requested])).toEqual([
    ["Solicitado", "good"],
    ["Aprovado", "next"],
    ["Pago", "next"],
  ]);
});

test("a refusal by the company is its cancel", () => {
  expect(titles(REFUSED, [requested, step("refused", "seller", null)])[1]).toEqual(["Cancelado", "bad"]);
  expect(titles(REFUSED, [requested, step("refused", "staff", null)])[1]).toEqual(["Recusado", "bad"]);
});

test("a duration has at most two units", () => {
  const from = "2026-11-27T10:00:00Z";
  const after = (seconds: number) =>
    durationText(from, new Date(Date.parse(from) + seconds * 1_000).toISOString());
  expect([0, 59.9, 226, 3_600, 7_530, 90_000, 200_000].map(after)).toEqual([
    "0 s",
    "59 s",
    "3 min 46 s",
    "1 h",
    "2 h 5 min",
    "1 dia 1 h",
    "2 dias 7 h",
  ]);
});
