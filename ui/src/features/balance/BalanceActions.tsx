// The administrators' actions on a company's balance. For other roles, and on a past balance, they are disabled with a
// reason.
import { IconAdjustments, IconLock, IconLockOpen } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { type BalanceTotals, isAdjustmentRequest } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";
import type { HoldKind } from "./HoldModal";

const HoldModal = lazy(() => import("./HoldModal"));

interface BalanceActionsProps {
  businessId: string;
  totals: BalanceTotals | undefined;
  /** Why the actions are disabled; undefined if they are not. */
  disabledReason: string | undefined;
  onDone: (message: string | undefined) => void;
}

export function BalanceActions({ businessId, totals, disabledReason, onDone }: BalanceActionsProps) {
  const modals = useModals();
  const [holding, setHolding] = useState<HoldKind>();
  const manual = () =>
    modals.open(
      "REQUEST_MANUAL_TRANSFER",
      { businessId },
      {
        onConfirm: (answer) =>
          onDone(
            isAdjustmentRequest(answer)
              ? balanceStrings.requested(money(answer.amount))
              : balanceStrings.manualTransfer.done[answer.direction ?? "out"](money(answer.amount)),
          ),
        // Closes only by its buttons, because its effect is permanent.
        dismissible: false,
      },
    );
  const choices = [
    [balanceStrings.hold.hold, IconLock, () => setHolding("hold")],
    [balanceStrings.hold.release, IconLockOpen, () => setHolding("release")],
    [balanceStrings.manualTransfer.open, IconAdjustments, manual],
  ] as const;
  return (
    <div className={shared.actions}>
      {choices.map(([label, Icon, run]) => (
        <ReasonedButton
          key={label}
          variant="default"
          leftSection={<Icon size={17} aria-hidden />}
          disabledReason={disabledReason}
          onClick={run}
        >
          {label}
        </ReasonedButton>
      ))}
      <Suspense>
        {holding && (
          <HoldModal
            kind={holding}
            businessId={businessId}
            totals={totals}
            onClose={() => setHolding(undefined)}
            onDone={(message) => {
              setHolding(undefined);
              onDone(message);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
