// A seller cancels a withdrawal that nobody has begun to pay.
import { IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useMayCall } from "../../../api/access";
import { useCommand } from "../../../api/hooks";
import type { Transfer } from "../../../api/models";
import { ConfirmModal } from "../../../components/forms/ConfirmModal";
import { ReasonedButton } from "../../../components/ReasonedButton";
import { money } from "../../../format/money";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { PENDING, WITHDRAWAL } from "../transferCodes";

const words = withdrawalsStrings.cancel;

const REFRESHES = [
  "/balance/transfers",
  "/balance/transfers/{transfer_id}",
  "/balance/transfers/{transfer_id}/execution",
  "/balance/transfers/{transfer_id}/composition/days",
  "/balance/transfers/quote",
  "/balance/history",
  "/balance/daily",
  "/overview",
] as const;

interface CancelButtonProps {
  transfer: Transfer;
  onDone: (message: string) => void;
}

export default function CancelButton({ transfer, onDone }: CancelButtonProps) {
  const [asked, setAsked] = useState(false);
  const mayCancel = useMayCall("POST /balance/transfers/{transfer_id}/cancel");
  const command = useCommand("POST /balance/transfers/{transfer_id}/cancel", { refreshes: REFRESHES });
  const { id, business_id, kind, status, amount } = transfer;
  // The question stays open if staff begin to pay meanwhile: it then shows the gateway's answer.
  if (!asked && (!mayCancel || kind !== WITHDRAWAL || status !== PENDING)) return null;
  return (
    <>
      <ReasonedButton
        variant="default"
        c="var(--bad-text)"
        leftSection={<IconX size={17} aria-hidden />}
        onClick={() => {
          command.reset();
          setAsked(true);
        }}
      >
        {words.action}
      </ReasonedButton>
      {asked && (
        <ConfirmModal
          title={words.title}
          effects={[words.effect(money(amount)), words.race]}
          submitLabel={words.action}
          danger
          command={command}
          run={() => command.run({ path: { transfer_id: id }, query: { business_id } })}
          onDone={() => {
            setAsked(false);
            onDone(words.done(money(amount)));
          }}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
