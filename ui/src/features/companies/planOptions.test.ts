import { expect, it } from "vitest";
import { salesPlanOptions } from "./planOptions";

const plan = (id: string, solution_id: number) => ({ id, description: id, solution_id });
const plans = [plan("Loja", 1), plan("Link", 4)];
const labels = (...own: string[]) =>
  salesPlanOptions(
    plans,
    own.map((id) => plan(id, 1)),
    1,
  ).map(({ label }) => label);

it("offers the plans of a solution, and the company's own plan even if it is inactive", () => {
  expect(labels()).toEqual(["Loja"]);
  expect(labels("Loja")).toEqual(["Loja"]);
  expect(labels("Antigo")).toEqual(["Loja", "Antigo"]);
});
