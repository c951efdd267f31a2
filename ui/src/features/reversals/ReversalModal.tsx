// Cancels or disputes a sale: asks first with the effect on the balance, then shows the result. CancelSaleModal and
// DisputeSaleModal are this modal with other texts and calls.
import { useEffect, useState } from "react";
import type { Failure } from "../../api/failure";
import { useApi, useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { ReversalPreview, SaleDetail } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { MoneyInput } from "../../components/forms/MoneyInput";
import { ReasonField } from "../../components/forms/ReasonField";
import { money } from "../../format/money";
import { reversalsStrings } from "../../strings/pt-BR.reversals";
import { calls, type Reversal } from "./calls";
import { isPart } from "./effect";
import { usePartOfSale } from "./partOfSale";
import { InsufficientBalance, ReversalDone, type Shortfall } from "./ReversalOutcome";
import { ReversalQuestion } from "./ReversalQuestion";
import { REASON_CHARS_MAX, reasonSchema } from "./reason";

const words = reversalsStrings.reversal;
/** The gateway's answer to a reversal for which the balance does not suffice. */
const NOT_ACCEPTABLE = 406;
const EMPTY: { amount: number | undefined; reason: string } = { amount: undefined, reason: "" };

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
  const [wantsPart, setWantsPart] = useState(false);
  const part = usePartOfSale(sale, preview.data, reversed !== undefined);
  const mayBePart = reversal === "cancel" && preview.data !== undefined && !preview.data.parts_refused;
  const asksForPart = part.preview !== undefined && isPart(part.preview);

  const submit = async ({ reason }: typeof EMPTY) => {
    const shown = part.preview;
    const body = { reason: reason.trim() || null, ...(asksForPart && { amount: part.preview?.amount }) };
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
      initialValues={EMPTY}
      command={{
        running: command.running,
        failure: closed || short ? undefined : (command.failure ?? preview.error ?? part.failure),
        reset: () => setClosed(true),
      }}
      onSubmit={submit}
      onClose={reversed ? () => onConfirm(reversed.sale) : onClose}
      dismissible={dismissible}
      submitLabel={asksForPart ? words.part.submit : words[reversal].title}
      leaveLabel={words.back}
      submitDisabled={!part.upToDate || part.error !== undefined}
      danger
      outcome={
        reversed ? (
          <ReversalDone reversal={reversal} {...reversed} onBack={() => onConfirm(reversed.sale)} />
        ) : short && !(wantsPart && command.failure === undefined) ? (
          <InsufficientBalance
            shortfall={short.shortfall}
            onPart={mayBePart && !wantsPart ? () => setWantsPart(true) : undefined}
            onBack={onClose}
          />
        ) : undefined
      }
    >
      {(form) => (
        <>
          <ReversalQuestion
            reversal={reversal}
            sale={sale}
            preview={part.preview ?? ((preview.error ?? part.failure) && null)}
          >
            {reversal === "cancel" && preview.data && (
              <MoneyInput
                label={words.part.label}
                description={preview.data.parts_refused ?? words.part.hint(money(preview.data.left))}
                disabled={preview.data.parts_refused !== null}
                autoFocus={wantsPart}
                {...form.getInputProps("amount")}
                onChange={(cents) => {
                  form.setFieldValue("amount", cents);
                  part.setAmount(cents);
                }}
                error={form.errors.amount ?? part.error}
              />
            )}
          </ReversalQuestion>
          <ReasonField
            label={words.reason}
            data-autofocus
            // Once the balance suffices, the form replaces the notice, whose button had the focus.
            autoFocus={wasInsufficient && !wantsPart}
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
