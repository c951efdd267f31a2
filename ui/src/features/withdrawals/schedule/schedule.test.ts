import { expect, test } from "vitest";
import { bodyOf, scheduleSchema, scheduleText, valuesOf } from "./schedule";

const weekly = { frequency: "week", on_day: 5, minimum: 10_000, kept: 25_000, destination: 1 } as const;
const whole = { ...weekly, next_on: null, set_by: null, set_at: "2026-11-21T15:00:00Z" };
const plain = (text: string) => text.replaceAll("\u00a0", " ");

test("a schedule is one sentence", () => {
  expect(plain(scheduleText(weekly))).toBe(
    "Toda sexta-feira, a partir de R$ 100,00, deixando R$ 250,00 no saldo, na chave PIX",
  );
  expect(plain(scheduleText({ ...weekly, frequency: "month", on_day: 28, kept: 0, destination: 0 }))).toBe(
    "Todo dia 28, a partir de R$ 100,00, na conta bancária principal",
  );
});

test("the form gives back the schedule that it shows", () => {
  const { password, ...sent } = bodyOf({ ...valuesOf(whole), password: "x" });
  expect([password, sent]).toEqual(["x", weekly]);
  const daily = { ...valuesOf(whole), frequency: "day" as const };
  expect(bodyOf(daily).on_day).toBeUndefined();
});

test("a week and a month need their day", () => {
  const filled = { ...valuesOf(whole), password: "x" };
  const faults = (values: object) =>
    scheduleSchema.safeParse({ ...filled, ...values }).error?.issues.map(({ path }) => path.join());
  expect(faults({})).toBeUndefined();
  expect(faults({ weekday: "" })).toEqual(["weekday"]);
  expect(faults({ frequency: "month" })).toEqual(["dayOfMonth"]);
  expect(faults({ minimum: 0 })).toEqual(["minimum"]);
});
