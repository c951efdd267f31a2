// PLAN_RECEIVING_VIEW: creates or changes a receiving plan, the fee of a company's withdrawals.
import { Checkbox, TextInput } from "@mantine/core";
import { useState } from "react";
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ReceivingPlan } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { plansStrings } from "../../strings/pt-BR.plans";

const words = plansStrings.receivingForm;
const common = plansStrings.form;

const REFRESHES = ["/admin/plans/receiving", "/admin/plans/receiving/{id}/history"] as const;

interface Values {
  description: string;
  flat_rate: number | undefined;
  active: boolean;
  default: boolean;
}

const schema = z.object({
  description: z.string().check(z.trim(), z.minLength(1, common.required)),
  flat_rate: z.number(common.required),
  active: z.boolean(),
  default: z.boolean(),
});

export default function ReceivingPlanModal(props: ModalContentProps<"PLAN_RECEIVING_VIEW">) {
  const [plan] = useState(props.payload.plan);
  const create = useCommand("POST /admin/plans/receiving", { refreshes: REFRESHES });
  const update = useCommand("PATCH /admin/plans/receiving/{id}", { refreshes: REFRESHES });
  const keyFor = useIdempotencyKey();
  const command = plan ? update : create;
  const save = (values: Values) => {
    const { flat_rate = 0 } = values;
    const body = { ...values, flat_rate, default: values.default && values.active };
    if (plan) return update.run({ path: { id: plan.id }, body: { ...body, revision: plan.revision } });
    return create.run({ body, header: { "Idempotency-Key": keyFor(body) } });
  };
  const submit = async (values: Values) => {
    const saved = await save(values).catch(() => undefined);
    if (saved) props.onConfirm(saved);
  };
  return (
    <FormModal
      title={plan ? words.edit(plan.description) : words.create}
      schema={schema}
      initialValues={{
        description: plan?.description ?? "",
        flat_rate: plan?.flat_rate,
        active: plan?.active ?? true,
        default: plan?.default ?? false,
      }}
      loading={command.running}
      error={command.failure}
      onErrorClose={command.reset}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={plan ? common.save : common.createButton}
    >
      {(form) => <Fields form={form} plan={plan} />}
    </FormModal>
  );
}

function Fields({ form, plan }: { form: Form<Values>; plan: ReceivingPlan | undefined }) {
  const { active } = form.values;
  const isDefault = plan?.default ?? false;
  return (
    <>
      <TextInput
        label={words.description}
        maxLength={120}
        required
        data-autofocus
        {...form.getInputProps("description")}
      />
      <MoneyInput
        label={words.flatRate}
        description={plan ? words.flatRateHint : undefined}
        required
        {...form.getInputProps("flat_rate")}
      />
      <Checkbox
        label={words.active}
        description={isDefault ? common.activeDefault : undefined}
        disabled={isDefault}
        {...form.getInputProps("active", { type: "checkbox" })}
      />
      <Checkbox
        label={words.default}
        description={isDefault ? common.defaultKept : active ? words.defaultHint : common.defaultInactive}
        {...form.getInputProps("default", { type: "checkbox" })}
        checked={form.values.default && active}
        disabled={isDefault || !active}
      />
    </>
  );
}
