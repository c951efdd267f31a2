import { expect, it } from "vitest";
import { dayText } from "./dayText";

it("groups the digits of a number of installments, and names one in the singular", () => {
  const day = { due_date: "2026-12-23", expected: 97_00, settled: 0, accelerated: 0, count: 1234 };
  expect(dayText(day)).toContain(" em 1.234 parcelas, agendado");
  expect(dayText({ ...day, count: 1 })).toContain(" em 1 parcela, agendado");
});
