// An admin records the end of a dispute that the acquirer has told in another way than by a notice.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { SegmentedField } from "../../components/forms/SegmentedField";
import type { ModalContentProps } from "../../components/modals/modals";
import { money } from "../../format/money";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import { REASON_CHARS_MAX } from "./reason";

const words = reversalsStrings.endDispute;

const schema = z.object({
  outcome: z.enum(["won", "lost"]),
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, words.reasonRequired),
      z.maxLength(REASON_CHARS_MAX, reversalsStrings.reversal.reasonTooLong),
    ),
});

type Values = z.infer<typeof schema>;

export default function EndDisputeModal({
  payload: { sale },
  dismissible,
  onClose,
  onConfirm,
}: ModalContentProps<"END_DISPUTE_MODAL">) {
  const keyFor = useIdempotencyKey();
  const end = useCommand("POST /admin/transactions/{id}/dispute/end", {
    refreshes: [
      "/admin/transactions/{id}",
      "/admin/transactions",
      "/admin/transactions/totals",
      "/admin/balance/history",
      "/admin/overview",
    ],
  });
  const submit = async ({ outcome, reason }: Values) => {
    const body = { outcome, reason: reason.trim() };
    const header = { "Idempotency-Key": keyFor(body) };
    const params = { path: { id: sale.id }, query: { business_id: sale.business_id } };
    const ended = await end.run({ ...params, body, header }).catch(() => undefined);
    if (ended) onConfirm(ended);
  };
  return (
    <FormModal
      title={words.title}
      schema={schema}
      initialValues={{ outcome: "won", reason: "" } satisfies Values as Values}
      command={end}
      onSubmit={submit}
      onClose={onClose}
      dismissible={dismissible}
      submitLabel={words.submit}
    >
      {(form) => (
        <>
          <p>{words.when}</p>
          <SegmentedField
            label={words.outcome}
            options={words.outcomes}
            fullWidth
            {...form.getInputProps("outcome")}
          />
          <p>{words.effect[form.getValues().outcome](money(sale.amount))}</p>
          <ReasonField
            label={words.reason}
            description={words.reasonHint}
            required
            data-autofocus
            maxLength={REASON_CHARS_MAX}
            {...form.getInputProps("reason")}
          />
        </>
      )}
    </FormModal>
  );
}
