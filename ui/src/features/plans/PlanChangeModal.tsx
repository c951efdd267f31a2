// One requested change of a plan. The requester can withdraw it; another user approves or rejects it.
import { Button, Group, Modal } from "@mantine/core";
import { useState } from "react";
import { fieldTextsOrMessage } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import type { PlanChange } from "../../api/models";
import { useSession, useTimeZone } from "../../api/session";
import { FactList } from "../../components/FactList";
import { ReasonField } from "../../components/forms/ReasonField";
import { useReturnFocus } from "../../components/forms/useReturnFocus";
import { changesOf } from "../../components/history/historyText";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { ScrollRegion } from "../../components/ScrollRegion";
import { ServerMessage } from "../../components/ServerMessage";
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
  useReturnFocus();
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.title(change.plan_description)}
      size="42rem"
      closeButtonProps={{ "aria-label": strings.buttons.close }}
    >
      <div className={styles.impact}>
        <FactList
          variant="boxed"
          facts={[
            [words.columns.kind, words.kinds[change.kind]],
            [words.columns.status, <ChangeStatus key="status" change={change} />],
            [
              words.requested,
              <UserAndInstant key="by" user={change.requested_by} at={change.requested_at} />,
            ],
            [
              words.decided,
              change.decided_by && change.decided_at ? (
                <UserAndInstant key="decided" user={change.decided_by} at={change.decided_at} />
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
    </Modal>
  );
}

function UserAndInstant({ user, at }: { user: NonNullable<PlanChange["decided_by"]>; at: string }) {
  return (
    <>
      {user.name ?? plansStrings.form.someone} · <Instant at={at} />
    </>
  );
}

function Fields({ change }: { change: PlanChange }) {
  const zone = useTimeZone();
  // The change in the shape of an entry of the audit log, whose texts `changesOf` builds.
  const entry = { action: "request", actor: { kind: "admin", is_subject: false }, ...change };
  return (
    <ScrollRegion label={words.fields} className={styles.scroll}>
      <table className={styles.preview} aria-label={words.fields}>
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

function OwnRequest({ running, onWithdraw }: { running: boolean; onWithdraw: () => void }) {
  return (
    <>
      <p className={styles.note}>{words.own}</p>
      <Group justify="flex-end">
        <Button variant="default" loading={running} onClick={onWithdraw}>
          {words.withdraw}
        </Button>
      </Group>
    </>
  );
}

function Decision({ change, onDecided }: Omit<PlanChangeModalProps, "onClose">) {
  const { user } = useSession();
  const approve = useCommand("POST /admin/plans/changes/{id}/approve", { refreshes: REFRESHES });
  const reject = useCommand("POST /admin/plans/changes/{id}/reject", { refreshes: REFRESHES });
  const withdraw = useCommand("POST /admin/plans/changes/{id}/withdraw", { refreshes: REFRESHES });
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const isOwn = user?.id === change.requested_by.id;
  const failed = [approve, reject, withdraw].find(({ failure }) => failure);
  const running = [approve, reject, withdraw].some((command) => command.running);
  const decide = async (run: () => Promise<PlanChange>) => {
    for (const command of [approve, reject, withdraw]) command.reset();
    const decided = await run().catch(() => undefined);
    if (decided) onDecided(decided);
  };
  const input = { path: { id: change.id } };
  const body = reason.trim() ? { reason: reason.trim() } : {};
  return (
    <>
      <ServerMessage
        message={failed?.failure && fieldTextsOrMessage(failed.failure)}
        code={failed?.failure?.code}
        onClose={() => failed?.reset()}
      />
      {isOwn ? (
        <OwnRequest running={withdraw.running} onWithdraw={() => void decide(() => withdraw.run(input))} />
      ) : (
        <>
          <ReasonField
            label={words.reasonField}
            description={words.reasonHint}
            maxLength={REASON_CHARS_MAX}
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setMissing(false);
            }}
            error={missing && words.reasonMissing}
            disabled={running}
          />
          <Group justify="flex-end" gap="sm">
            <Button
              variant="default"
              loading={reject.running}
              disabled={running}
              onClick={() =>
                reason.trim() ? void decide(() => reject.run({ ...input, body })) : setMissing(true)
              }
            >
              {words.reject}
            </Button>
            <Button
              loading={approve.running}
              disabled={running}
              onClick={() => void decide(() => approve.run({ ...input, body }))}
            >
              {words.approve}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}
