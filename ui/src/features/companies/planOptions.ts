// The plans of a company in forms: one sales plan for each solution, and a receiving plan. An empty field is the
// default plan.
import { useApi } from "../../api/hooks";

export const SOLUTIONS = [1, 2, 3, 4] as const;

export type SalesPlanField = `plan_${(typeof SOLUTIONS)[number]}`;

export const planField = (solution: (typeof SOLUTIONS)[number]): SalesPlanField => `plan_${solution}`;

export type SalesPlanIds = Record<SalesPlanField, string>;

export const DEFAULT_PLANS: SalesPlanIds = { plan_1: "", plan_2: "", plan_3: "", plan_4: "" };

interface PlanOption {
  value: string;
  label: string;
}

/** The sales plans that a company can get now, for each solution: active ones with a version in force. */
export function useSalesPlanOptions(): (solution: number) => PlanOption[] {
  const { data } = useApi("/admin/plans/all", {});
  return (solution) =>
    (data?.data ?? [])
      .filter((plan) => plan.solution_id === solution && plan.active)
      .map(({ id, description }) => ({ value: id, label: description }));
}

export function useReceivingPlanOptions(): PlanOption[] {
  const { data } = useApi("/admin/plans/receiving", {
    query: { active: 1, perPage: 100, sort: "description", order: "asc" },
  });
  return (data?.data ?? []).map(({ id, description }) => ({ value: id, label: description }));
}
