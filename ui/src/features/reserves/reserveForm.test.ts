import { expect, it } from "vitest";
import { type RulesValues, rulesBody, rulesSchema } from "./reserveForm";

const TODAY = "2026-12-10";
const FILLED: RulesValues = {
  percentage: "2,5",
  days: "30",
  maximum: undefined,
  valid_from: TODAY,
  ends_on: "",
  reason: " Contestações\nacima do limite ",
};

function faults(change: Partial<RulesValues>) {
  const { error } = rulesSchema(TODAY).safeParse({ ...FILLED, ...change });
  return (error?.issues ?? []).map(({ path }) => path.join("."));
}

it("sends the share with a point, the reason in one line, and no empty field", () => {
  expect(rulesBody(FILLED)).toEqual({
    percentage: "2.5",
    days: 30,
    valid_from: TODAY,
    reason: "Contestações acima do limite",
  });
  expect(rulesBody({ ...FILLED, maximum: 100, ends_on: "2026-12-31" })).toMatchObject({
    maximum: 100,
    ends_on: "2026-12-31",
  });
});

it("checks each field", () => {
  expect(faults({})).toEqual([]);
  expect(faults({ percentage: "0" })).toEqual([]);
  expect(faults({ percentage: "99,5" })).toEqual(["percentage"]);
  for (const days of ["", "0", "366", "1,5"]) expect(faults({ days })).toEqual(["days"]);
  expect(faults({ valid_from: "2026-12-09" })).toEqual(["valid_from"]);
  expect(faults({ valid_from: "" })).toEqual(["valid_from"]);
  expect(faults({ ends_on: "2026-12-09" })).toEqual(["ends_on"]);
  expect(faults({ reason: " " })).toEqual(["reason"]);
});
