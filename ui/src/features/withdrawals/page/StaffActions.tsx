// The actions of staff on a withdrawal, on its own page. They are those of the queue.
import { IconPlayerPlay } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { useCommand } from "../../../api/hooks";
import type { Transfer } from "../../../api/models";
import { ConfirmModal } from "../../../components/forms/ConfirmModal";
import { Panel } from "../../../components/Panel";
import { ReasonedButton } from "../../../components/ReasonedButton";
import shared from "../../../components/Shared.module.css";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { ACTION_ICONS, RETURN_ICON } from "../actionIcons";
import { ACTIONS, type Action, DANGEROUS, disabledReason, returnDisabledReason } from "../actions";
import { PROCESSING } from "../transferCodes";

const ActionModal = lazy(() => import("../ActionModal"));
const ReturnModal = lazy(() => import("../ReturnModal"));

const { queue, returned, retry } = withdrawalsStrings;

const RETRY_REFRESHES = [
  "/admin/balance/transfers/{transfer_id}",
  "/admin/balance/transfers/{transfer_id}/execution",
] as const;

interface StaffActionsProps {
  transfer: Transfer;
  onDone: (message: string) => void;
}

export default function StaffActions({ transfer, onDone }: StaffActionsProps) {
  const [asked, setAsked] = useState<Action | "returned" | "retry">();
  const payment = useCommand("POST /admin/operations/{work}/{id}/retry", { refreshes: RETRY_REFRESHES });
  const { payout_id, status } = transfer;
  const done = (message: string) => {
    setAsked(undefined);
    onDone(message);
  };
  const close = () => setAsked(undefined);
  return (
    <Panel title={withdrawalsStrings.page.actions}>
      <div className={shared.actions}>
        {ACTIONS.map((action) => {
          const Icon = ACTION_ICONS[action];
          const refused = disabledReason(action, transfer);
          return (
            <ReasonedButton
              key={action}
              variant={action === "approve" ? "filled" : "default"}
              {...(DANGEROUS.has(action) && !refused && { c: "var(--bad-text)" })}
              leftSection={<Icon size={17} aria-hidden />}
              disabledReason={refused}
              onClick={() => setAsked(action)}
            >
              {queue.labels[action]}
            </ReasonedButton>
          );
        })}
        {/* A payment by hand has no payout. */}
        {payout_id && status === PROCESSING && (
          <ReasonedButton
            variant="default"
            leftSection={<IconPlayerPlay size={17} aria-hidden />}
            onClick={() => {
              payment.reset();
              setAsked("retry");
            }}
          >
            {retry.action}
          </ReasonedButton>
        )}
        <ReasonedButton
          variant="default"
          leftSection={<RETURN_ICON size={17} aria-hidden />}
          disabledReason={returnDisabledReason(transfer)}
          onClick={() => setAsked("returned")}
        >
          {returned.action}
        </ReasonedButton>
      </div>
      {asked === "retry" && payout_id && (
        <ConfirmModal
          title={retry.title}
          effects={[retry.effect, retry.safety]}
          submitLabel={retry.action}
          command={payment}
          run={() => payment.run({ path: { work: "payouts", id: payout_id } })}
          onDone={() => done(retry.done)}
          onClose={close}
        />
      )}
      <Suspense>
        {asked === "returned" && <ReturnModal transfer={transfer} onClose={close} onDone={done} />}
        {asked && asked !== "returned" && asked !== "retry" && (
          <ActionModal action={asked} transfers={[transfer]} onClose={close} onDone={done} />
        )}
      </Suspense>
    </Panel>
  );
}
