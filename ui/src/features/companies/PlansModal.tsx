// Changes the plans of a company, one per solution. A solution without a choice has the default plan.
import { Modal, Skeleton } from "@mantine/core";
import * as z from "zod/mini";
import { useApi, useCommand } from "../../api/hooks";
import { type BusinessDetail, isAdjustmentRequest } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { FailureNotice } from "../../components/Notice";
import shared from "../../components/Shared.module.css";
import { strings } from "../../strings/pt-BR";
import { companiesStrings } from "../../strings/pt-BR.companies";
import { SalesPlanFields } from "./PlanFields";
import { DEFAULT_PLANS, planField, type SalesPlan, type SalesPlanIds, SOLUTIONS } from "./planOptions";
import { COMPANY_READS } from "./reads";

const words = companiesStrings.plans;
const schema = z.object({ plan_1: z.string(), plan_2: z.string(), plan_3: z.string(), plan_4: z.string() });

interface PlansModalProps {
  company: Pick<BusinessDetail, "id">;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function PlansModal({ company, onClose, onDone }: PlansModalProps) {
  const path = { id: company.id };
  const read = useApi("/admin/businesses/{id}/plans", { path }, { keepPrevious: false, fresh: true });
  const save = useCommand("POST /admin/businesses/{id}/plans", {
    refreshes: [...COMPANY_READS.refreshes, "/admin/businesses/{id}/plans", "/admin/balance/adjustments"],
  });
  if (!read.data) {
    return (
      <Modal
        opened
        onClose={onClose}
        title={words.change}
        centered
        closeButtonProps={{ "aria-label": strings.buttons.close }}
      >
        {read.error ? (
          <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
        ) : (
          <Skeleton height={320} />
        )}
      </Modal>
    );
  }
  const before: SalesPlanIds = { ...DEFAULT_PLANS };
  const ownPlans: SalesPlan[] = [];
  for (const { solution_id, own, plan } of read.data.data) {
    if (!own || !plan) continue;
    before[`plan_${solution_id}` as keyof SalesPlanIds] = plan.id;
    ownPlans.push({ ...plan, solution_id });
  }
  const submit = async (values: SalesPlanIds) => {
    const changed = SOLUTIONS.filter(
      (solution) => values[planField(solution)] !== before[planField(solution)],
    );
    const plans = changed.map((solution) => ({
      solution_id: solution,
      plan_id: values[planField(solution)] || null,
    }));
    if (plans.length === 0) return onClose();
    const answer = await save.run({ path, body: { plans } }).catch(() => undefined);
    if (answer) onDone(isAdjustmentRequest(answer) ? words.requested : words.saved);
  };
  return (
    <FormModal
      title={words.change}
      schema={schema}
      initialValues={before}
      command={save}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={companiesStrings.company.save}
    >
      {(form) => (
        <>
          <p className={shared.hint}>{words.effect}</p>
          <SalesPlanFields form={form} own={ownPlans} />
        </>
      )}
    </FormModal>
  );
}
