// The reserve of a receiving plan: the rules in force and scheduled, all versions, and new rules.
import { Button, Skeleton } from "@mantine/core";
import { useState } from "react";
import { useApi } from "../../api/hooks";
import { DetailModal } from "../../components/DetailModal";
import { FailureNotice } from "../../components/Notice";
import shared from "../../components/Shared.module.css";
import { reservesStrings } from "../../strings/pt-BR.reserves";
import ReserveRulesModal from "./ReserveRulesModal";
import styles from "./Reserves.module.css";
import { RulesSummary, RulesVersions, today } from "./RulesSummary";
import { holds, inForce } from "./reserveRules";

const words = reservesStrings.staff;

interface PlanReserveModalProps {
  plan: { id: string; description: string };
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function PlanReserveModal({ plan, onClose, onDone }: PlanReserveModalProps) {
  const { data, error, mutate } = useApi(
    "/admin/plans/receiving/{id}/reserve",
    { path: { id: plan.id } },
    { keepPrevious: false, fresh: true },
  );
  const [sets, setSets] = useState(false);
  const current = data && inForce(data, today())?.version;
  if (sets) {
    return (
      <ReserveRulesModal
        owner={{ kind: "plan", id: plan.id, name: plan.description }}
        before={current}
        exempts={false}
        onClose={() => setSets(false)}
        onDone={onDone}
      />
    );
  }
  return (
    <DetailModal onClose={onClose} title={words.planTitle(plan.description)} size="lg">
      {data ? (
        <div className={styles.stack}>
          <p className={shared.hint}>{words.planHint}</p>
          <RulesSummary rules={data} ofPlan />
          <div className={shared.actions}>
            <Button onClick={() => setSets(true)}>
              {current && holds(current) ? words.change : words.set}
            </Button>
          </div>
          {data.of_plan.length > 0 && <RulesVersions title={words.versions} versions={data.of_plan} />}
        </div>
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={160} />
      )}
    </DetailModal>
  );
}
