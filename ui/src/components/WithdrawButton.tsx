// The button that opens the form of a withdrawal. For a company that is not approved it is disabled; the page says why,
// and so does the button.
import { Button } from "@mantine/core";
import { IconCashBanknote } from "@tabler/icons-react";
import { useBusiness } from "../api/session";
import { money } from "../format/money";
import { waitingText } from "../format/waiting";
import { balanceStrings } from "../strings/pt-BR.balance";
import { useModals } from "./modals/modals";

const words = balanceStrings.balance;

interface WithdrawButtonProps {
  businessId: string;
  /** Receives the message of a successful request, and nothing when the form opens. */
  onRequested: (message: string | undefined) => void;
}

export function WithdrawButton({ businessId, onRequested }: WithdrawButtonProps) {
  const modals = useModals();
  const waiting = waitingText(useBusiness());
  const withdraw = () => {
    onRequested(undefined);
    modals.open(
      "REQUEST_TRANSFER",
      { businessId },
      { onConfirm: ({ amount }) => onRequested(words.requested(money(amount))) },
    );
  };
  // Without a tooltip, whose code would weigh on every page.
  return (
    <Button
      leftSection={<IconCashBanknote size={18} aria-hidden />}
      onClick={waiting ? undefined : withdraw}
      data-disabled={waiting !== undefined || undefined}
      aria-disabled={waiting !== undefined || undefined}
      aria-description={waiting}
      title={waiting}
    >
      {words.withdraw}
    </Button>
  );
}
