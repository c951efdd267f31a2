// PLAN_VIEW: creates or changes a sales plan. A change of its fees is a new version, valid from now or from a date.
import { Checkbox, Modal, SegmentedControl, Select, Skeleton, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { PlanDetail } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import type { Form } from "../../components/forms/useValidatedForm";
import type { ModalContentProps } from "../../components/modals/modals";
import { FailureNotice } from "../../components/Notice";
import { BUSINESS_ZONE, businessDate, businessToday, dateIn } from "../../format/dates";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";
import { PlanFeeTabs } from "./PlanFeeTabs";
import { PlanPreview } from "./PlanPreview";
import styles from "./Plans.module.css";
import { formField, type PlanValues, planBody, planSchema, planValues } from "./planForm";

const words = plansStrings.form;

const REFRESHES = [
  "/admin/plans",
  "/admin/plans/{id}",
  "/admin/plans/{id}/history",
  "/admin/plans/all",
] as const;

export default function PlanModal(props: ModalContentProps<"PLAN_VIEW">) {
  const { planId } = props.payload;
  const read = useApi(planId ? "/admin/plans/{id}" : null, planId ? { path: { id: planId } } : undefined, {
    keepPrevious: false,
    fresh: true,
  });
  // The form keeps the plan that it opened with, also if a lost edit reads it again.
  const [plan, setPlan] = useState<PlanDetail>();
  if (read.data && !plan) setPlan(read.data);
  if (!planId || plan) return <PlanForm {...props} plan={plan} />;
  return (
    <Modal
      opened
      onClose={props.onClose}
      title={words.loading}
      size="60rem"
      closeButtonProps={{ "aria-label": strings.buttons.close }}
    >
      {read.error ? (
        <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
      ) : (
        <Skeleton height={480} />
      )}
    </Modal>
  );
}

type PlanFormProps = ModalContentProps<"PLAN_VIEW"> & { plan: PlanDetail | undefined };

const dayOf = (instant: string) => dateIn(BUSINESS_ZONE, new Date(instant));

function PlanForm({ plan, ...props }: PlanFormProps) {
  const create = useCommand("POST /admin/plans", { refreshes: REFRESHES });
  const update = useCommand("PATCH /admin/plans/{id}", { refreshes: REFRESHES });
  const keyFor = useIdempotencyKey();
  const command = plan ? update : create;
  const failure = useMemo(() => inForm(command.failure), [command.failure]);
  const save = (values: PlanValues) => {
    const body = planBody(values, plan?.revision);
    if (plan) return update.run({ path: { id: plan.id }, body });
    return create.run({ body, header: { "Idempotency-Key": keyFor(body) } });
  };
  const submit = async (values: PlanValues) => {
    const saved = await save(values).catch(() => undefined);
    if (saved) props.onConfirm(saved);
  };
  return (
    <FormModal
      title={plan ? words.edit(plan.description) : words.create}
      schema={planSchema(businessToday(new Date()))}
      initialValues={planValues(plan, dayOf)}
      loading={command.running}
      error={failure}
      onErrorClose={command.reset}
      onSubmit={submit}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={plan ? words.save : words.createButton}
      messagePosition="bottom"
      size="60rem"
    >
      {(form) => (
        <>
          <Basics form={form} plan={plan} />
          <PlanFeeTabs form={form} plan={plan} />
          <PlanPreview values={form.values} />
          <Starts form={form} plan={plan} />
        </>
      )}
    </FormModal>
  );
}

/** The failure with the form's names of the fields. */
function inForm(failure: Failure | undefined): Failure | undefined {
  if (!failure || Object.keys(failure.fields).length === 0) return failure;
  const errors = Object.entries(failure.fields).map(([field, text]) => [formField(field), [text]]);
  return new Failure(failure.status, { message: failure.message, errors: Object.fromEntries(errors) });
}

function Basics({ form, plan }: { form: Form<PlanValues>; plan: PlanDetail | undefined }) {
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
      <div className={styles.pair}>
        <Select
          label={words.solution}
          description={plan ? words.solutionHint : undefined}
          data={Object.entries(strings.payment.solutions).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          disabled={plan !== undefined}
          withAsterisk
          {...form.getInputProps("solution_id")}
        />
        <Select
          label={words.type}
          data={Object.entries(strings.feeTypes).map(([value, label]) => ({ value, label }))}
          allowDeselect={false}
          withAsterisk
          {...form.getInputProps("mdr")}
        />
      </div>
      <div className={styles.pair}>
        <TextInput
          label={words.percentageRate}
          inputMode="decimal"
          required
          {...form.getInputProps("percentage_rate")}
        />
        <MoneyInput label={words.flatRate} required {...form.getInputProps("flat_rate")} />
        <TextInput
          label={words.settlementDays}
          inputMode="numeric"
          maxLength={2}
          required
          {...form.getInputProps("settlement_days")}
        />
      </div>
      <div className={styles.pair}>
        <Checkbox
          label={words.active}
          description={isDefault ? words.activeDefault : undefined}
          disabled={isDefault}
          {...form.getInputProps("active", { type: "checkbox" })}
        />
        <Checkbox
          label={words.default}
          description={isDefault ? words.defaultKept : active ? words.defaultHint : words.defaultInactive}
          {...form.getInputProps("default", { type: "checkbox" })}
          checked={form.values.default && active}
          disabled={isDefault || !active}
        />
      </div>
    </>
  );
}

function Starts({ form, plan }: { form: Form<PlanValues>; plan: PlanDetail | undefined }) {
  const scheduled = plan?.scheduled_from;
  return (
    <div>
      <h3 className={styles.heading}>{words.starts}</h3>
      <p className={styles.note}>{words.startsHint}</p>
      <div className={styles.panel}>
        <SegmentedControl
          aria-label={words.starts}
          data={[
            { value: "now", label: words.startsNow },
            { value: "later", label: words.startsLater },
          ]}
          {...form.getInputProps("starts")}
        />
        {form.values.starts === "later" && (
          <TextInput type="date" label={words.validFrom} required {...form.getInputProps("valid_from")} />
        )}
        {scheduled && <p className={styles.warning}>{words.replaces(businessDate(dayOf(scheduled)))}</p>}
      </div>
    </div>
  );
}
