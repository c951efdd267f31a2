// The plans of a company in forms: one sales plan for each solution, and a receiving plan. An empty field is the
// default plan.
import { useApi } from "../../api/hooks";
import { useTypedSearch } from "../../components/SearchSelect";

/** All solutions: card machine, e-commerce, info product and payment link. */
export const SOLUTIONS = [1, 2, 3, 4] as const;

export type SalesPlanField = `plan_${(typeof SOLUTIONS)[number]}`;

export const planField = (solution: (typeof SOLUTIONS)[number]): SalesPlanField => `plan_${solution}`;

export type SalesPlanIds = Record<SalesPlanField, string>;

export const DEFAULT_PLANS: SalesPlanIds = { plan_1: "", plan_2: "", plan_3: "", plan_4: "" };

interface PlanOption {
  value: string;
  label: string;
}

const optionOf = ({ id, description }: { id: string; description: string }): PlanOption => ({
  value: id,
  label: description,
});

export interface SalesPlan {
  id: string;
  description: string;
  solution_id: number;
}

/** The plans of a solution that a company can get now, and the company's own plan, which may have become inactive. */
export function salesPlanOptions(
  plans: readonly SalesPlan[],
  own: readonly SalesPlan[],
  solution: number,
): PlanOption[] {
  const isOffered = ({ id }: SalesPlan) => plans.some((plan) => plan.id === id);
  return [...plans, ...own.filter((plan) => !isOffered(plan))]
    .filter((plan) => plan.solution_id === solution)
    .map(optionOf);
}

/** The active plans with a version in force. */
export function useSalesPlans(): readonly SalesPlan[] {
  const { data } = useApi("/admin/plans/all", {});
  return data?.data ?? [];
}

/** The first active plans whose description matches the typed text. */
export function useReceivingPlanOptions() {
  const { query, onType } = useTypedSearch();
  const { data } = useApi("/admin/plans/receiving", {
    query: { ...query, active: 1, perPage: 100, sort: "description", order: "asc" },
  });
  return { found: (data?.data ?? []).map(optionOf), onType };
}
