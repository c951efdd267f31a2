// Cancels or disputes a sale: asks first with the effect on the balance, then shows the result. CancelSaleModal and
// DisputeSaleModal are this modal with other texts and calls.
import { useEffect, useState } from "react";
import type { Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ReversalPreview, SaleDetail } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import { calls, type Reversal } from "./calls";
import { InsufficientBalance, ReversalDone, type Shortfall } from "./ReversalOutcome";
import { ReversalQuestion } from "./ReversalQuestion";
import { REASON_CHARS_MAX, reasonSchema } from "./reason";

const words = reversalsStrings.reversal;
/** The gateway's answer to a reversal for which the balance does not suffice. */
const NOT_ACCEPTABLE = 406;
const NO_REASON = { reason: "" };

interface ReversalModalProps {
  reversal: Reversal;
  sale: SaleDetail;
  dismissible: boolean;
  onClose: () => void;
  onConfirm: (sale: SaleDetail) => void;
}

interface Reversed {
  sale: SaleDetail;
  preview: ReversalPreview;
}

export function ReversalModal({ reversal, sale, dismissible, onClose, onConfirm }: ReversalModalProps) {
  const [reversed, setReversed] = useState<Reversed>();
  const [closed, setClosed] = useState(false);
  const command = useCommand(calls.reverse[reversal], { refreshes: calls.refreshes });
  const params = { path: { id: sale.id }, query: { business_id: sale.business_id } };
  // After the reversal the preview is no longer read.
  const preview = useApi(reversed ? null : calls.preview[reversal], params, {
    keepPrevious: false,
    fresh: true,
  });
  // Closing the modal drops the preview, so that the next opening shows no old effect and no old refusal.
  const { mutate } = preview;
  useEffect(() => () => void mutate(undefined, { revalidate: false }), [mutate]);
  const keyFor = useIdempotencyKey();
  const short = shortfallOf(preview.data, command.failure);
  const [wasInsufficient, setWasInsufficient] = useState(false);
  if (short && !wasInsufficient) setWasInsufficient(true);

  const submit = async ({ reason }: typeof NO_REASON) => {
    const shown = preview.data;
    const body = { reason: reason.trim() || null };
    setClosed(false);
    const header = { "Idempotency-Key": keyFor(body) };
    // The command keeps the failure, and the form shows it.
    const answer = await command.run({ ...params, body, header }).catch(() => undefined);
    if (answer && shown) setReversed({ sale: answer as SaleDetail, preview: shown });
  };
  return (
    <FormModal
      title={words[reversal].title}
      schema={reasonSchema}
      initialValues={NO_REASON}
      command={{
        running: command.running,
        failure: closed || short ? undefined : (command.failure ?? preview.error),
        reset: () => setClosed(true),
      }}
      onSubmit={submit}
      onClose={reversed ? () => onConfirm(reversed.sale) : onClose}
      dismissible={dismissible}
      submitLabel={words[reversal].title}
      leaveLabel={words.back}
      submitDisabled={!preview.data}
      danger
      outcome={
        reversed ? (
          <ReversalDone reversal={reversal} {...reversed} onBack={() => onConfirm(reversed.sale)} />
        ) : short ? (
          <InsufficientBalance shortfall={short.shortfall} onBack={onClose} />
        ) : undefined
      }
    >
      {(form) => (
        <>
          <ReversalQuestion
            reversal={reversal}
            sale={sale}
            preview={preview.data ?? (preview.error && null)}
          />
          <ReasonField
            label={words.reason}
            data-autofocus
            // Once the balance suffices, the form replaces the notice, whose button had the focus.
            autoFocus={wasInsufficient}
            maxLength={REASON_CHARS_MAX}
            {...form.getInputProps("reason")}
          />
        </>
      )}
    </FormModal>
  );
}

/**
 * Set if the balance does not suffice, by the preview, or by the refusal if the balance fell after the preview. The
 * inner `shortfall` is undefined for roles that may not see the balance.
 */
function shortfallOf(
  preview: ReversalPreview | undefined,
  failure: Failure | undefined,
): { shortfall: Shortfall } | undefined {
  if (failure?.status === NOT_ACCEPTABLE) {
    // The refusal does not contain the amount that is held for this sale.
    const released = preview?.balance?.released ?? 0;
    return { shortfall: failure.balance && { ...failure.balance, released } };
  }
  if (!preview || preview.covered) return undefined;
  const { needed, balance } = preview;
  return { shortfall: balance ? { needed, ...balance } : undefined };
}
