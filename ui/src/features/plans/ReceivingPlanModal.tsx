// The modal PLAN_RECEIVING_VIEW: creates or changes a receiving plan, the fee of a company's withdrawals.
import { TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import * as z from "zod/mini";
import type { Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ReceivingPlan } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { MergeNotice } from "../../components/forms/MergeNotice";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { FormValues } from "../../components/forms/schemaOf";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { personStrings } from "../../strings/pt-BR.person";
import { plansStrings } from "../../strings/pt-BR.plans";
import { ImpactStep } from "./ImpactStep";
import { PlanFlags } from "./PlanFlags";
import styles from "./Plans.module.css";
import { DESCRIPTION_CHARS_MAX } from "./planForm";
import { planTexts } from "./planTexts";
import { RequestedOutcome } from "./RequestedOutcome";
import { useTwoPeople } from "./useTwoPeople";

const words = plansStrings.receivingForm;
const common = plansStrings.form;

const REFRESHES = [
  "/admin/plans/receiving",
  "/admin/plans/receiving/{id}/history",
  "/admin/plans/changes",
] as const;

const CONFLICT = 409;

const schema = z.object({
  description: z.string().check(z.trim(), z.minLength(1, common.required)),
  flat_rate: z.number(common.required),
  active: z.boolean(),
  default: z.boolean(),
});
type Values = FormValues<typeof schema>;

const valuesOf = (plan: ReceivingPlan | undefined): Values => ({
  description: plan?.description ?? "",
  flat_rate: plan?.flat_rate,
  active: plan?.active ?? true,
  default: plan?.default ?? false,
});

const bodyOf = (values: Values) => ({
  ...values,
  flat_rate: values.flat_rate ?? 0,
  default: values.default && values.active,
});

/** Creates a plan, or changes `plan`. */
function useSavePlan(plan: ReceivingPlan | undefined) {
  const create = useCommand("POST /admin/plans/receiving", { refreshes: REFRESHES });
  const update = useCommand("PATCH /admin/plans/receiving/{id}", { refreshes: REFRESHES });
  const keyFor = useIdempotencyKey();
  const save = (values: Values) => {
    const body = bodyOf(values);
    if (plan) return update.run({ path: { id: plan.id }, body: { ...body, revision: plan.revision } });
    return create.run({ body, header: { "Idempotency-Key": keyFor(body) } });
  };
  return { command: plan ? update : create, save };
}

export default function ReceivingPlanModal(props: ModalContentProps<"PLAN_RECEIVING_VIEW">) {
  const [plan, setPlan] = useState(props.payload.plan);
  const { command, save } = useSavePlan(plan);
  const impact = useCommand("POST /admin/plans/receiving/{id}/impact", { refreshes: [] });
  const { failure } = command;
  // The values whose impact is shown; undefined while the fields are shown.
  const [checked, setChecked] = useState<Values>();
  const [requested, setRequested] = useState(false);
  const button = useTwoPeople() ? common.request : common.direct;
  const { latest, saved } = useLatest(plan, failure);
  const submit = async (values: Values) => {
    // A new default applies to new companies only, so it has no impact on last month.
    if (!checked && plan && values.flat_rate !== plan.flat_rate) {
      command.reset();
      return setChecked(values);
    }
    const answer = await save(values).catch(() => undefined);
    if (answer?.pending_change && plan) return setRequested(true);
    if (answer) return props.onConfirm(answer);
    setChecked(undefined);
  };
  return (
    <FormModal
      title={plan ? words.edit(plan.description) : words.create}
      schema={schema}
      initialValues={valuesOf(plan)}
      command={{ ...command, failure: failure }}
      onSubmit={submit}
      onBack={checked && (() => setChecked(undefined))}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={plan ? button.save : button.create}
      outcome={requested && plan && <RequestedOutcome plan={plan.description} onClose={props.onClose} />}
    >
      {(form) =>
        checked && plan ? (
          <ImpactStep receiving start={() => impact.run({ path: { id: plan.id }, body: bodyOf(checked) })} />
        ) : (
          <>
            <MergeNotice
              form={form}
              title={plansStrings.merge.title}
              texts={planTexts}
              opened={valuesOf(plan)}
              saved={saved}
              message={failure?.message}
              onMerged={() => {
                command.reset();
                if (latest) setPlan(latest);
              }}
            />
            {plan?.pending_change && (
              <p className={styles.warning}>
                {common.pending(plan.pending_change.requested_by.name ?? personStrings.someone)}
              </p>
            )}
            <Fields form={form} plan={plan} />
          </>
        )
      }
    </FormModal>
  );
}

/** The plan as another user saved it while this form was open. It is read after a save is refused with a 409. */
function useLatest(plan: ReceivingPlan | undefined, failure: Failure | undefined) {
  const refused = failure?.status === CONFLICT && plan !== undefined;
  const read = useApi(
    refused ? "/admin/plans/receiving/{id}" : null,
    refused ? { path: { id: plan.id } } : undefined,
    { keepPrevious: false, fresh: true },
  );
  const latest = refused && read.data && read.data.revision !== plan.revision ? read.data : undefined;
  const saved = useMemo(() => (latest ? valuesOf(latest) : undefined), [latest]);
  return { latest, saved };
}

function Fields({ form, plan }: { form: Form<Values>; plan: ReceivingPlan | undefined }) {
  return (
    <>
      <TextInput
        label={words.description}
        maxLength={DESCRIPTION_CHARS_MAX}
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
      <PlanFlags
        values={form.values}
        inputs={(field) => form.getInputProps(field, { type: "checkbox" })}
        isDefault={plan?.default ?? false}
        label={words.default}
        hint={words.defaultHint}
      />
    </>
  );
}
