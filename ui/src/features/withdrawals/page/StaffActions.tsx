// The actions of staff on a withdrawal, on its own page. They are those of the queue.
import { lazy, Suspense, useState } from "react";
import type { Transfer } from "../../../api/models";
import { Panel } from "../../../components/Panel";
import { ReasonedButton } from "../../../components/ReasonedButton";
import shared from "../../../components/Shared.module.css";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { ACTION_ICONS, RETURN_ICON } from "../actionIcons";
import { ACTIONS, type Action, DANGEROUS, disabledReason, returnDisabledReason } from "../actions";

const ActionModal = lazy(() => import("../ActionModal"));
const ReturnModal = lazy(() => import("../ReturnModal"));

const { queue, returned } = withdrawalsStrings;

interface StaffActionsProps {
  transfer: Transfer;
  onDone: (message: string) => void;
}

export default function StaffActions({ transfer, onDone }: StaffActionsProps) {
  const [asked, setAsked] = useState<Action | "returned">();
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
        <ReasonedButton
          variant="default"
          leftSection={<RETURN_ICON size={17} aria-hidden />}
          disabledReason={returnDisabledReason(transfer)}
          onClick={() => setAsked("returned")}
        >
          {returned.action}
        </ReasonedButton>
      </div>
      <Suspense>
        {asked === "returned" && <ReturnModal transfer={transfer} onClose={close} onDone={done} />}
        {asked && asked !== "returned" && (
          <ActionModal action={asked} transfers={[transfer]} onClose={close} onDone={done} />
        )}
      </Suspense>
    </Panel>
  );
}
