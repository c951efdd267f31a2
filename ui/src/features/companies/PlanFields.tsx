// The fields of a company's plans, in the wizard and in the modals of the company's page.
import { Select } from "@mantine/core";
import type { AnyValues, Form } from "../../components/forms/useValidatedForm";
import { SearchSelect } from "../../components/SearchSelect";
import { solutionName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import {
  planField,
  type SalesPlan,
  type SalesPlanIds,
  SOLUTIONS,
  salesPlanOptions,
  useReceivingPlanOptions,
  useSalesPlans,
} from "./planOptions";

const words = companiesStrings.plans;

export function SalesPlanFields<Values extends SalesPlanIds & AnyValues>({
  form,
  own = [],
}: {
  form: Form<Values>;
  /** The plans that were set for this company. */
  own?: readonly SalesPlan[];
}) {
  const plans = useSalesPlans();
  return SOLUTIONS.map((solution) => {
    const field = planField(solution);
    return (
      <Select
        key={field}
        label={solutionName(solution)}
        placeholder={words.defaultPlan}
        data={salesPlanOptions(plans, own, solution)}
        searchable
        clearable
        nothingFoundMessage={strings.list.noOptions}
        {...form.getInputProps(field)}
        value={form.values[field] || null}
        onChange={(plan) => form.setFieldValue(field, (plan ?? "") as never)}
      />
    );
  });
}

interface ReceivingPlanValues {
  receiving_plan_id: string;
  /** The description of the plan, which may be inactive or missing from the search results. */
  receiving_plan_name: string;
}

export function ReceivingPlanField<Values extends ReceivingPlanValues & AnyValues>({
  form,
  clearable,
}: {
  form: Form<Values>;
  /** Whether no choice means the default plan. */
  clearable: boolean;
}) {
  const plans = useReceivingPlanOptions();
  const { receiving_plan_id: id, receiving_plan_name: name } = form.values;
  return (
    <SearchSelect
      label={companiesStrings.company.receivingPlan}
      description={words.receivingHint}
      placeholder={clearable ? words.defaultPlan : undefined}
      {...plans}
      chosen={id ? { value: id, label: name } : undefined}
      clearable={clearable}
      nothingFoundMessage={strings.list.noOptions}
      {...form.getInputProps("receiving_plan_id")}
      value={id || null}
      onChange={(plan, option) =>
        form.setValues({ receiving_plan_id: plan ?? "", receiving_plan_name: option?.label ?? "" } as never)
      }
    />
  );
}
