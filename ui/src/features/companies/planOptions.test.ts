import { expect, it } from "vitest";
import { salesPlanOptions } from "./planOptions";

const plan = (id: string, solution_id: number, active: boolean) => ({
  id,
  description: id,
  solution_id,
  active,
});
const plans = [
  plan("Loja", 1, true),
  plan("Antigo", 1, false),
  plan("Mais antigo", 1, false),
  plan("Link", 4, true),
];
const labels = (chosen: string) => salesPlanOptions(plans, 1, chosen).map(({ label }) => label);

it("offers the active plans of a solution, and the chosen one even if it is inactive", () => {
  expect(labels("")).toEqual(["Loja"]);
  expect(labels("Antigo")).toEqual(["Loja", "Antigo"]);
});
