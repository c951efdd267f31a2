// The plans that a company can have: one per solution, and the receiving plan. An empty choice is the default plan.
import { useApi } from "../../api/hooks";

export const SOLUTIONS = [1, 2, 3, 4] as const;

export type SolutionField = `plan_${(typeof SOLUTIONS)[number]}`;

export const fieldOf = (solution: (typeof SOLUTIONS)[number]): SolutionField => `plan_${solution}`;

export type SalesPlans = Record<SolutionField, string>;

export const DEFAULT_PLANS: SalesPlans = { plan_1: "", plan_2: "", plan_3: "", plan_4: "" };

interface Choice {
  value: string;
  label: string;
}

/** The plans that can be given now, by solution. A plan whose first version is scheduled cannot. */
export function useSalesPlans(): (solution: number) => Choice[] {
  const { data } = useApi("/admin/plans/all", {});
  return (solution) =>
    (data?.data ?? [])
      .filter((plan) => plan.solution_id === solution && plan.active)
      .map(({ id, description }) => ({ value: id, label: description }));
}

export function useReceivingPlans(): Choice[] {
  const { data } = useApi("/admin/plans/receiving", {
    query: { active: 1, perPage: 100, sort: "description", order: "asc" },
  });
  return (data?.data ?? []).map(({ id, description }) => ({ value: id, label: description }));
}
