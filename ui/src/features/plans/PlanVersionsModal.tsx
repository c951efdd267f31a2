// The versions of a sales plan and its audit log. A scheduled version can be withdrawn here.
import { Button, Skeleton } from "@mantine/core";
import { useState } from "react";
import { fieldTextsOrMessage } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import type { PlanDetail, PlanSummary } from "../../api/models";
import { DetailModal } from "../../components/DetailModal";
import { History, useHistory } from "../../components/history/History";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { ServerMessage } from "../../components/ServerMessage";
import { plansStrings } from "../../strings/pt-BR.plans";
import styles from "./Plans.module.css";
import { useTwoPeople } from "./useTwoPeople";

const words = plansStrings.versions;

interface PlanVersionsModalProps {
  plan: PlanSummary;
  onClose: () => void;
}

export function PlanVersionsModal({ plan, onClose }: PlanVersionsModalProps) {
  const read = useApi("/admin/plans/{id}", { path: { id: plan.id } }, { keepPrevious: false, fresh: true });
  return (
    <DetailModal onClose={onClose} title={words.title(plan.description)} size="48rem">
      {read.data ? (
        <Versions plan={read.data} />
      ) : read.error ? (
        <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
      ) : (
        <Skeleton height={160} />
      )}
      <PlanHistory plan={plan} />
    </DetailModal>
  );
}

function Versions({ plan }: { plan: PlanDetail }) {
  const withdraw = useCommand("DELETE /admin/plans/{id}/scheduled", {
    refreshes: ["/admin/plans", "/admin/plans/{id}", "/admin/plans/{id}/history", "/admin/plans/changes"],
  });
  const [done, setDone] = useState<string>();
  const twoPeople = useTwoPeople();
  const run = async () => {
    const saved = await withdraw.run({ path: { id: plan.id } }).catch(() => undefined);
    if (saved) setDone(saved.pending_change ? words.withdrawalRequested : words.withdrawn);
  };
  // The gateway refuses to withdraw a plan's only version: a plan always has terms.
  const only = plan.versions.length === 1;
  return (
    <>
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      <ServerMessage
        message={withdraw.failure && fieldTextsOrMessage(withdraw.failure)}
        code={withdraw.failure?.code}
        onClose={withdraw.reset}
      />
      <p className={styles.note}>{words.companies(plan.companies, plan.companies_capped)}</p>
      <ul className={styles.versions} aria-label={words.list}>
        {plan.versions.map((version) => (
          <li key={version.version}>
            <span className={styles.versionText}>
              <strong>
                {words.version(version.version)} · {words.states[version.state]}
              </strong>
              <span className={styles.note}>
                {words.since} <Instant at={version.valid_from} />
              </span>
            </span>
            {version.state === "scheduled" && !only && (
              <Button variant="default" loading={withdraw.running} onClick={() => void run()}>
                {twoPeople ? words.requestWithdrawal : words.withdraw}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}

function PlanHistory({ plan }: { plan: PlanSummary }) {
  const list = useHistory("/admin/plans/{id}/history", { path: { id: plan.id } });
  return <History subject="plan" list={list} />;
}
