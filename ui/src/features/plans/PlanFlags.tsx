// Whether a plan is active and the default: the same rules for sales plans and receiving plans.
import { Checkbox, type CheckboxProps } from "@mantine/core";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.form;

interface PlanFlagsProps {
  values: { active: boolean; default: boolean };
  inputs: (field: "active" | "default") => CheckboxProps;
  /** Whether the plan is the default already. Another plan has to take its place. */
  isDefault: boolean;
  label: string;
  hint: string;
}

export function PlanFlags({ values, inputs, isDefault, label, hint }: PlanFlagsProps) {
  const { active } = values;
  return (
    <>
      <Checkbox
        label={words.active}
        description={isDefault ? words.activeDefault : undefined}
        disabled={isDefault}
        {...inputs("active")}
      />
      <Checkbox
        label={label}
        description={isDefault ? words.defaultKept : active ? hint : words.defaultInactive}
        {...inputs("default")}
        checked={values.default && active}
        disabled={isDefault || !active}
      />
    </>
  );
}
