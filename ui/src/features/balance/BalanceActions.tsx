// The administrators' actions on a company's balance. For other roles, and on a past balance, they are disabled with a
// reason.
import { Button } from "@mantine/core";
import { IconAdjustments, IconListDetails, IconLock } from "@tabler/icons-react";
import { lazy, Suspense, useState } from "react";
import { Link } from "react-router";
import { useMayOpen } from "../../api/access";
import { type BalanceTotals, isAdjustmentRequest } from "../../api/models";
import { useModals } from "../../components/modals/modals";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { balanceStrings } from "../../strings/pt-BR.balance";

const PlaceHoldModal = lazy(() => import("../holds/PlaceHoldModal"));

interface BalanceActionsProps {
  businessId: string;
  totals: BalanceTotals | undefined;
  /** Why the actions are disabled; undefined if they are not. */
  disabledReason: string | undefined;
  onDone: (message: string | undefined) => void;
}

export function BalanceActions({ businessId, totals, disabledReason, onDone }: BalanceActionsProps) {
  const modals = useModals();
  const [holding, setHolding] = useState(false);
  const seesHolds = useMayOpen("/saques/retencoes");
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
    [balanceStrings.hold.hold, IconLock, () => setHolding(true)],
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
      {seesHolds && (
        <Button
          component={Link}
          to={`/saques/retencoes?business=${businessId}`}
          variant="default"
          leftSection={<IconListDetails size={17} aria-hidden />}
        >
          {balanceStrings.hold.releases}
        </Button>
      )}
      <Suspense>
        {holding && (
          <PlaceHoldModal
            businessId={businessId}
            totals={totals}
            onClose={() => setHolding(false)}
            onDone={(message) => {
              setHolding(false);
              onDone(message);
            }}
          />
        )}
      </Suspense>
    </div>
  );
}
