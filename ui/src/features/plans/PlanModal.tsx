// The modal PLAN_VIEW: creates or changes a sales plan. Before a change of companies' fees is saved, a step shows its
// impact.
import { Modal, Skeleton } from "@mantine/core";
import { useMemo, useState } from "react";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { PlanDetail } from "../../api/models";
import { businessNow } from "../../api/serverClock";
import { FormModal } from "../../components/forms/FormModal";
import { MergeNotice } from "../../components/forms/MergeNotice";
import type { ModalContentProps } from "../../components/modals/modals";
import { FailureNotice } from "../../components/Notice";
import { businessToday } from "../../format/dates";
import { strings } from "../../strings/pt-BR";
import { personStrings } from "../../strings/pt-BR.person";
import { plansStrings } from "../../strings/pt-BR.plans";
import { ImpactStep } from "./ImpactStep";
import { businessDateOf, PlanBasics, PlanStart } from "./PlanBasics";
import { PlanFeeTabs } from "./PlanFeeTabs";
import { PlanPreview } from "./PlanPreview";
import styles from "./Plans.module.css";
import { changesPrices, formField, type PlanValues, planBody, planSchema, planValues } from "./planForm";
import { planTexts } from "./planTexts";
import { RequestedOutcome } from "./RequestedOutcome";
import { useTwoPeople } from "./useTwoPeople";

const words = plansStrings.form;

const REFRESHES = [
  "/admin/plans",
  "/admin/plans/{id}",
  "/admin/plans/{id}/history",
  "/admin/plans/all",
  "/admin/plans/changes",
] as const;

const CONFLICT = 409;

export default function PlanModal(props: ModalContentProps<"PLAN_VIEW">) {
  const { planId } = props.payload;
  const read = useApi(planId ? "/admin/plans/{id}" : null, planId ? { path: { id: planId } } : undefined, {
    keepPrevious: false,
    fresh: true,
  });
  // The form keeps the plan that it opened with, also when the plan is read again. A merge after a 409 replaces it.
  const [plan, setPlan] = useState<PlanDetail>();
  if (read.data && !plan) setPlan(read.data);
  if (!planId || plan) return <PlanForm {...props} plan={plan} latest={read.data} onMerged={setPlan} />;
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

type PlanFormProps = ModalContentProps<"PLAN_VIEW"> & {
  plan: PlanDetail | undefined;
  /** The plan as it was read last. */
  latest: PlanDetail | undefined;
  onMerged: (latest: PlanDetail) => void;
};

function usePlanCommands(plan: PlanDetail | undefined) {
  const create = useCommand("POST /admin/plans", { refreshes: REFRESHES });
  const update = useCommand("PATCH /admin/plans/{id}", { refreshes: REFRESHES });
  const newImpact = useCommand("POST /admin/plans/impact", { refreshes: [] });
  const impact = useCommand("POST /admin/plans/{id}/impact", { refreshes: [] });
  const keyFor = useIdempotencyKey();
  return {
    command: plan ? update : create,
    save: (values: PlanValues) => {
      const body = planBody(values, plan?.revision);
      if (plan) return update.run({ path: { id: plan.id }, body });
      return create.run({ body, header: { "Idempotency-Key": keyFor(body) } });
    },
    startImpact: (values: PlanValues) => {
      const body = planBody(values);
      return plan ? impact.run({ path: { id: plan.id }, body }) : newImpact.run({ body });
    },
  };
}

function PlanForm({ plan, latest, onMerged, ...props }: PlanFormProps) {
  const { command, save, startImpact } = usePlanCommands(plan);
  // The values whose impact is shown; undefined while the fields are shown.
  const [checked, setChecked] = useState<PlanValues>();
  const [requested, setRequested] = useState(false);
  const twoPeople = useTwoPeople();
  const button = twoPeople ? words.request : words.direct;
  const failure = useMemo(() => command.failure?.withFieldNames(formField), [command.failure]);
  const opened = useMemo(() => planValues(plan, businessDateOf), [plan]);
  const changedByOther = failure?.status === CONFLICT && plan && latest && latest.revision !== plan.revision;
  const saved = useMemo(
    () => (changedByOther && latest ? planValues(latest, businessDateOf) : undefined),
    [changedByOther, latest],
  );
  const submit = async (values: PlanValues) => {
    if (!checked && changesPrices(values, opened, plan !== undefined)) {
      command.reset();
      return setChecked(values);
    }
    const answer = await save(values).catch(() => undefined);
    if (answer?.pending_change && plan) return setRequested(true);
    if (answer) return props.onConfirm(answer);
    // A refusal is shown next to the fields.
    setChecked(undefined);
  };
  return (
    <FormModal
      title={plan ? words.edit(plan.description) : words.create}
      schema={planSchema(businessToday(businessNow()))}
      initialValues={opened}
      command={{ ...command, failure: failure }}
      onSubmit={submit}
      onBack={checked && (() => setChecked(undefined))}
      onClose={props.onClose}
      dismissible={props.dismissible}
      submitLabel={plan || (checked && !twoPeople) ? button.save : button.create}
      messagePosition="bottom"
      size="60rem"
      outcome={requested && plan && <RequestedOutcome plan={plan.description} onClose={props.onClose} />}
    >
      {(form) =>
        checked ? (
          <ImpactStep start={() => startImpact(checked)} />
        ) : (
          <>
            <MergeNotice
              form={form}
              title={plansStrings.merge.title}
              texts={planTexts}
              opened={opened}
              saved={saved}
              message={failure?.message}
              onMerged={() => {
                command.reset();
                if (latest) onMerged(latest);
              }}
            />
            <Pending plan={plan} />
            <PlanBasics form={form} plan={plan} />
            <PlanFeeTabs form={form} plan={plan} />
            <PlanPreview values={form.values} />
            <PlanStart form={form} plan={plan} />
          </>
        )
      }
    </FormModal>
  );
}

function Pending({ plan }: { plan: PlanDetail | undefined }) {
  const pending = plan?.pending_change;
  return pending ? (
    <p className={styles.warning}>{words.pending(pending.requested_by.name ?? personStrings.someone)}</p>
  ) : null;
}
