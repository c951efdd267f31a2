// One requested change of a plan. The requester can withdraw it; another user approves or rejects it.
import { useApi, useCommand } from "../../api/hooks";
import type { PlanChange } from "../../api/models";
import { useTimeZone } from "../../api/session";
import { DetailModal } from "../../components/DetailModal";
import { FactList } from "../../components/FactList";
import { changesOf } from "../../components/history/historyText";
import { FailureNotice } from "../../components/Notice";
import { ScrollRegion } from "../../components/ScrollRegion";
import shared from "../../components/Shared.module.css";
import { ByAndAt, TwoPersonAnswer } from "../../components/TwoPersonAnswer";
import { strings } from "../../strings/pt-BR";
import { plansStrings } from "../../strings/pt-BR.plans";
import { ChangeStatus } from "./changeColumns";
import { ImpactStep } from "./ImpactStep";
import styles from "./Plans.module.css";
import { requestedForm } from "./requestedForm";

const words = plansStrings.changes;
const REASON_CHARS_MAX = 500;

const REFRESHES = [
  "/admin/plans/changes",
  "/admin/plans",
  "/admin/plans/{id}",
  "/admin/plans/{id}/history",
  "/admin/plans/all",
  "/admin/plans/receiving",
  "/admin/plans/receiving/{id}/history",
] as const;

interface PlanChangeModalProps {
  change: PlanChange;
  onClose: () => void;
  onDecided: (decided: PlanChange) => void;
}

export function PlanChangeModal({ change, onClose, onDecided }: PlanChangeModalProps) {
  return (
    <DetailModal onClose={onClose} title={words.title(change.plan_description)} size="42rem">
      <div className={styles.impact}>
        <FactList
          variant="boxed"
          facts={[
            [words.columns.kind, words.kinds[change.kind]],
            [words.columns.status, <ChangeStatus key="status" change={change} />],
            [words.requested, <ByAndAt key="by" name={change.requested_by.name} at={change.requested_at} />],
            [
              words.decided,
              change.decided_by && change.decided_at ? (
                <ByAndAt key="decided" name={change.decided_by.name} at={change.decided_at} />
              ) : undefined,
            ],
            [words.columns.reason, change.reason ?? undefined],
          ]}
        />
        <Fields change={change} />
        {change.status === "pending" && (
          <>
            {change.kind === "sales" ? <SalesImpact change={change} /> : <ReceivingImpact change={change} />}
            <Decision change={change} onDecided={onDecided} />
          </>
        )}
      </div>
    </DetailModal>
  );
}

function Fields({ change }: { change: PlanChange }) {
  const zone = useTimeZone();
  // The change in the shape of an entry of the audit log, whose texts `changesOf` builds.
  const entry = { action: "request", actor: { kind: "admin", is_subject: false }, ...change };
  return (
    <ScrollRegion label={words.fields} className={styles.scroll}>
      <table className={`${shared.figures} ${styles.preview}`} aria-label={words.fields}>
        <thead>
          <tr>
            <th scope="col">{words.fields}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {changesOf(entry, zone).map(({ field, label, before, after }) => (
            <tr key={field}>
              <th scope="row">{label}</th>
              <td>{before ?? strings.list.none}</td>
              <td>{after ?? strings.list.none}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** The cost of last month's sales under the change. */
function SalesImpact({ change }: { change: PlanChange }) {
  const path = { id: change.plan_id };
  const { data: plan, error, mutate } = useApi("/admin/plans/{id}", { path }, { keepPrevious: false });
  const impact = useCommand("POST /admin/plans/{id}/impact", { refreshes: [] });
  if (!plan) return error ? <FailureNotice failure={error} onRetry={() => void mutate()} /> : null;
  const fees = (plan.scheduled ?? plan.current)?.fees ?? [];
  return <ImpactStep start={() => impact.run({ path, body: requestedForm(change.after, fees) })} />;
}

function ReceivingImpact({ change }: { change: PlanChange }) {
  const impact = useCommand("POST /admin/plans/receiving/{id}/impact", { refreshes: [] });
  const path = { id: change.plan_id };
  return <ImpactStep receiving start={() => impact.run({ path, body: change.after })} />;
}

function Decision({ change, onDecided }: Omit<PlanChangeModalProps, "onClose">) {
  const commands = {
    approve: useCommand("POST /admin/plans/changes/{id}/approve", { refreshes: REFRESHES }),
    reject: useCommand("POST /admin/plans/changes/{id}/reject", { refreshes: REFRESHES }),
    withdraw: useCommand("POST /admin/plans/changes/{id}/withdraw", { refreshes: REFRESHES }),
  };
  const path = { id: change.id };
  return (
    <TwoPersonAnswer
      requester={change.requested_by}
      commands={commands}
      send={(answer, body) =>
        answer === "withdraw" ? commands.withdraw.run({ path }) : commands[answer].run({ path, body })
      }
      onDone={onDecided}
      own={<p className={styles.note}>{words.own}</p>}
      reasonCharsMax={REASON_CHARS_MAX}
      words={words}
    />
  );
}
