// The audit log of a receiving plan.
import type { ReceivingPlan } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { History, useHistory } from "../../components/history/History";
import { plansStrings } from "../../strings/pt-BR.plans";

interface ReceivingPlanHistoryModalProps {
  plan: ReceivingPlan;
  onClose: () => void;
}

export function ReceivingPlanHistoryModal({ plan, onClose }: ReceivingPlanHistoryModalProps) {
  const list = useHistory("/admin/plans/receiving/{id}/history", { path: { id: plan.id } });
  return (
    <DetailModal
      onClose={onClose}
      title={plansStrings.versions.receivingTitle(plan.description)}
      size="48rem"
    >
      <History subject="plan" list={list} />
    </DetailModal>
  );
}
