// The button that opens the form of a withdrawal.
import { Button } from "@mantine/core";
import { IconCashBanknote } from "@tabler/icons-react";
import { money } from "../format/money";
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
  const withdraw = () => {
    onRequested(undefined);
    modals.open(
      "REQUEST_TRANSFER",
      { businessId },
      { onConfirm: ({ amount }) => onRequested(words.requested(money(amount))) },
    );
  };
  return (
    <Button leftSection={<IconCashBanknote size={18} aria-hidden />} onClick={withdraw}>
      {words.withdraw}
    </Button>
  );
}
