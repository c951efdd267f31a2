// The choice of a company's plans, in the wizard and in the modal of its page.
import { Select } from "@mantine/core";
import type { AnyValues, Form } from "../../components/forms/useValidatedForm";
import { solutionName } from "../../format/payment";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import {
  planField,
  type SalesPlanIds,
  SOLUTIONS,
  useReceivingPlanOptions,
  useSalesPlanOptions,
} from "./planOptions";

const words = companiesStrings.plans;

export function SalesPlanFields<Values extends SalesPlanIds & AnyValues>({ form }: { form: Form<Values> }) {
  const choicesOf = useSalesPlanOptions();
  return SOLUTIONS.map((solution) => {
    const field = planField(solution);
    return (
      <Select
        key={field}
        label={solutionName(solution)}
        placeholder={words.defaultPlan}
        data={choicesOf(solution)}
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

export function ReceivingPlanField<Values extends { receiving_plan_id: string } & AnyValues>({
  form,
  clearable,
}: {
  form: Form<Values>;
  /** Whether no choice means the default plan. */
  clearable: boolean;
}) {
  const choices = useReceivingPlanOptions();
  return (
    <Select
      label={companiesStrings.company.receivingPlan}
      description={words.receivingHint}
      placeholder={clearable ? words.defaultPlan : undefined}
      data={choices}
      searchable
      clearable={clearable}
      allowDeselect={clearable}
      nothingFoundMessage={strings.list.noOptions}
      {...form.getInputProps("receiving_plan_id")}
      value={form.values.receiving_plan_id || null}
      onChange={(plan) => form.setFieldValue("receiving_plan_id", (plan ?? "") as never)}
    />
  );
}
