// The audit log of a receiving plan.
import { Modal } from "@mantine/core";
import { useApi } from "../../api/hooks";
import type { ReceivingPlan } from "../../api/models";
import { useReturnFocus } from "../../components/forms/useReturnFocus";
import { History, useHistoryList } from "../../components/history/History";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";

interface ReceivingPlanHistoryModalProps {
  plan: ReceivingPlan;
  onClose: () => void;
}

export function ReceivingPlanHistoryModal({ plan, onClose }: ReceivingPlanHistoryModalProps) {
  useReturnFocus();
  const list = useHistoryList();
  const read = useApi("/admin/plans/receiving/{id}/history", {
    path: { id: plan.id },
    query: { page: list.page, perPage: list.perPage },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={plansStrings.versions.receivingTitle(plan.description)}
      size="48rem"
      closeButtonProps={{ "aria-label": strings.buttons.close }}
    >
      <History subject="plan" read={read} list={list} />
    </Modal>
  );
}
