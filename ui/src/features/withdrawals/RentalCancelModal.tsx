// Staff cancel a terminal's rental: its amount returns to the company's available balance.
import * as z from "zod/mini";
import { totalsOf } from "../../api/balance";
import { succeeds } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { Transfer } from "../../api/models";
import { FactList } from "../../components/FactList";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { Instant } from "../../components/Instant";
import shared from "../../components/Shared.module.css";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import { ledgerStrings } from "../../strings/pt-BR.ledger";

const words = ledgerStrings.rentalCancel;
const REASON_CHARS_MAX = 200;

const schema = z.object({
  reason: z.string().check(z.maxLength(REASON_CHARS_MAX, words.reasonTooLong)),
});

interface RentalCancelModalProps {
  rental: Transfer;
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function RentalCancelModal({ rental, onClose, onDone }: RentalCancelModalProps) {
  const { id, business_id, amount } = rental;
  const cancel = useCommand("POST /admin/balance/transfers/{transfer_id}/terminal-rental/cancel", {
    refreshes: [
      "/admin/balance/transfers",
      "/admin/balance/history",
      "/admin/businesses/{id}/journal",
      "/admin/overview",
    ],
  });
  const keyFor = useIdempotencyKey();
  const submit = async (values: { reason: string }) => {
    const reason = values.reason.trim();
    const body = { business_id, ...(reason && { reason }) };
    const done = await succeeds(
      cancel.run({ path: { transfer_id: id }, body, header: { "Idempotency-Key": keyFor({ id, ...body }) } }),
    );
    if (done) onDone(words.done(money(amount)));
  };
  return (
    <FormModal
      title={words.title}
      schema={schema}
      initialValues={{ reason: "" }}
      command={cancel}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.submit}
      leaveLabel={words.back}
      danger
    >
      {(form) => (
        <>
          <p className={shared.hint}>{words.hint}</p>
          <Effect rental={rental} />
          <ReasonField
            label={words.reason}
            data-autofocus
            maxLength={REASON_CHARS_MAX}
            {...form.getInputProps("reason")}
          />
        </>
      )}
    </FormModal>
  );
}

function Effect({ rental: { business_id, amount, requested_at } }: { rental: Transfer }) {
  const balance = useApi("/admin/balance/history", { query: { business_id, totals: 1 } });
  const available = totalsOf(balance.data)?.available;
  const shown = (cents: number | undefined) => (cents === undefined ? strings.list.none : money(cents));
  return (
    <FactList
      variant="boxed"
      total
      facts={[
        [words.chargedAt, <Instant key="charged" at={requested_at} />],
        [words.amount, money(amount)],
        [words.available, shown(available)],
        [words.after, shown(available === undefined ? undefined : available + amount)],
      ]}
    />
  );
}
