import { expect, it } from "vitest";
import type { AcquirerRate } from "../../api/models";
import { expectedText, groupRates, rateBody, rateErrors, rateTitle, rateValues } from "./rates";

const RATE: AcquirerRate = {
  id: "1",
  provider: 1,
  payment_type: "credit",
  installments_from: 1,
  valid_from: "2026-11-01",
  percent: "2.5000",
  flat: 0,
  set_at: "2026-10-30T12:00:00Z",
  set_by: "Ana",
};
const plain = (text: string) => text.replaceAll("\u00a0", " ");

it.each([
  [RATE, "2,50%"],
  [{ percent: "2.1250", flat: 10 }, "2,125% + R$ 0,10"],
  [{ percent: "10.0000", flat: 0 }, "10,00%"],
  [{ percent: null, flat: null }, "Custo não conferido"],
])("%o reads %s", (rate, text) => expect(plain(expectedText(rate))).toBe(text));

it("groups rates with the one in force and those of later days", () => {
  const next = { ...RATE, id: "2", valid_from: "2026-12-01", percent: "2.0000" };
  const corrected = { ...RATE, id: "3", percent: "2.6000", set_at: "2026-10-31T12:00:00Z" };
  const split = { ...RATE, id: "4", installments_from: 2, valid_from: "2027-01-01" };
  const groups = groupRates([next, corrected, RATE, split], "2026-11-21");
  expect(groups.map(({ inForce, scheduled }) => [inForce?.id, scheduled.map(({ id }) => id)])).toEqual([
    ["3", ["2"]],
    [undefined, ["4"]],
  ]);
  expect(groups[0]?.latest.id).toBe("2");
  expect(rateTitle(split)).toBe("Zoop · Crédito, Parcelado 2x ou mais");
});

it("reports the missing fields of an empty form", () => {
  expect(Object.keys(rateErrors(rateValues(undefined)))).toEqual([
    "provider",
    "payment_type",
    "valid_from",
    "percent",
  ]);
});

it("sends the typed values, and no rate if no cost is compared", () => {
  const values = { ...rateValues(RATE), valid_from: "2026-12-01", percent: "1,99" };
  expect(rateErrors(values)).toEqual({});
  expect(rateBody(values)).toEqual({
    provider: 1,
    payment_type: "credit",
    installments_from: 1,
    valid_from: "2026-12-01",
    percent: "1.99",
    flat: 0,
  });
  const nothing = { ...values, payment_type: "pix", installments_from: "3", expects: "nothing" as const };
  expect(rateErrors({ ...nothing, percent: "" })).toEqual({});
  expect(rateBody(nothing)).toMatchObject({ installments_from: 1, percent: null, flat: null });
});
