// Staff record that the bank returned a withdrawal that it had paid.
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { Transfer } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { PasswordField } from "../../components/forms/PasswordField";
import { ReasonField } from "../../components/forms/ReasonField";
import { Instant } from "../../components/Instant";
import shared from "../../components/Shared.module.css";
import { UnbrokenNumbers } from "../../components/UnbrokenNumbers";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { destinationText } from "./destination";

const words = withdrawalsStrings.returned;
const REASON_CHARS_MAX = 500;

const schema = z.object({
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, withdrawalsStrings.queue.reasonRequired),
      z.maxLength(REASON_CHARS_MAX, withdrawalsStrings.queue.reasonTooLong),
    ),
  password: z.string().check(z.minLength(1, withdrawalsStrings.requestTransfer.passwordRequired)),
});

interface ReturnModalProps {
  transfer: Transfer;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function ReturnModal({ transfer, onClose, onDone }: ReturnModalProps) {
  const { id, business_id } = transfer;
  const record = useCommand("POST /admin/balance/transfers/{transfer_id}/returned", {
    refreshes: [
      "/admin/balance/transfers",
      "/admin/balance/transfers/{transfer_id}",
      "/admin/balance/transfers/{transfer_id}/execution",
      "/admin/balance/transfers/{transfer_id}/composition/days",
      "/admin/balance/history",
      "/admin/businesses/{id}/journal",
      "/admin/overview",
    ],
  });
  const keyFor = useIdempotencyKey();
  const submit = async (values: z.infer<typeof schema>) => {
    const reason = values.reason.trim();
    const header = { "Idempotency-Key": keyFor({ id, reason }) };
    const body = { business_id, reason, password: values.password };
    if (await succeeds(record.run({ path: { transfer_id: id }, body, header }))) {
      onDone(words.done(money(transfer.net_amount)));
    }
  };
  return (
    <FormModal
      title={words.title}
      schema={schema}
      initialValues={{ reason: "", password: "" }}
      command={record}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.submit}
      danger
    >
      {(form) => (
        <>
          <p className={shared.hint}>{words.hint}</p>
          <FactList
            variant="boxed"
            facts={[
              [withdrawalsStrings.transfers.columns.business, transfer.business.name],
              [
                withdrawalsStrings.transfers.columns.destination,
                <UnbrokenNumbers key="destination">{destinationText(transfer)}</UnbrokenNumbers>,
              ],
              [
                withdrawalsStrings.transfers.columns.requestedAt,
                <Instant key="requested" at={transfer.requested_at} />,
              ],
              [words.amount, money(transfer.net_amount)],
              [withdrawalsStrings.transfers.columns.fee, money(transfer.fee)],
            ]}
          />
          <ReasonField
            label={words.reason}
            required
            data-autofocus
            maxLength={REASON_CHARS_MAX}
            {...form.getInputProps("reason")}
          />
          <PasswordField
            label={withdrawalsStrings.requestTransfer.password}
            required
            autoComplete="current-password"
            {...form.getInputProps("password")}
          />
        </>
      )}
    </FormModal>
  );
}
