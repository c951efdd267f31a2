// Asks before an action on withdrawals: shows the effect and the withdrawals, and takes a reason if one is required.
// The withdrawals are sent one after the other. The first failure stops the rest; its message counts those done, if
// any.
import { useState } from "react";
import * as z from "zod/mini";
import { asFailure, type Failure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { Transfer } from "../../api/models";
import { FormModal } from "../../components/forms/FormModal";
import { ReasonField } from "../../components/forms/ReasonField";
import { Instant } from "../../components/Instant";
import { ScrollRegion } from "../../components/ScrollRegion";
import shared from "../../components/Shared.module.css";
import { UnbrokenNumbers } from "../../components/UnbrokenNumbers";
import { money } from "../../format/money";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { type Action, DANGEROUS, disabledReason, NEEDS_REASON } from "./actions";
import { destinationText } from "./destination";
import styles from "./Modals.module.css";

const words = withdrawalsStrings.queue;
const REASON_CHARS_MAX = 500;

export interface ActionRequest {
  action: Action;
  transfers: readonly Transfer[];
}

interface ActionModalProps extends ActionRequest {
  onClose: () => void;
  onDone: (message: string) => void;
}

const withReason = z.object({
  reason: z
    .string()
    .check(
      z.trim(),
      z.minLength(1, words.reasonRequired),
      z.maxLength(REASON_CHARS_MAX, words.reasonTooLong),
    ),
});
const withoutReason = z.object({ reason: z.string() });
type Values = z.infer<typeof withoutReason>;

const REFRESHES = [
  "/admin/balance/transfers",
  "/admin/balance/transfers/{transfer_id}",
  "/admin/balance/transfers/{transfer_id}/execution",
  "/admin/balance/transfers/{transfer_id}/composition/days",
  "/admin/balance/history",
  "/admin/overview",
] as const;

/** Runs `action` on one withdrawal after the other; `onEach` is called after each success. */
function useActOnEach(action: Action) {
  const act = useCommand("POST /admin/balance/transfers/{id}/{type}", { refreshes: REFRESHES });
  const reopen = useCommand("POST /admin/balance/transfers/{id}/pending", { refreshes: REFRESHES });
  const keyFor = useIdempotencyKey();
  return async (transfers: readonly Transfer[], reason: string, onEach: (id: string) => void) => {
    for (const { id, business_id } of transfers) {
      const header = { "Idempotency-Key": keyFor({ id, action, reason }) };
      if (action === "pending") await reopen.run({ path: { id }, body: { business_id }, header });
      else
        await act.run({
          path: { id, type: action },
          body: NEEDS_REASON.has(action) ? { reason } : {},
          header,
        });
      onEach(id);
    }
  };
}

export default function ActionModal({ action, transfers, onClose, onDone }: ActionModalProps) {
  // Fixed at the opening, because the list behind is read again after each action.
  const [selected] = useState(transfers);
  const [possible] = useState(() => transfers.filter((transfer) => !disabledReason(action, transfer)));
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [running, setRunning] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const actOnEach = useActOnEach(action);
  const rest = possible.filter(({ id }) => !done.has(id));

  const submit = async ({ reason }: Values) => {
    setRunning(true);
    setFailure(undefined);
    let count = done.size;
    try {
      await actOnEach(rest, reason.trim(), (id) => {
        count += 1;
        setDone((before) => new Set(before).add(id));
      });
      onDone(words.done[action](possible.length));
    } catch (error) {
      const refusal = asFailure(error);
      setFailure(
        count === 0 ? refusal : refusal.withMessage(words.partly(count, possible.length, refusal.message)),
      );
    }
    setRunning(false);
  };
  const skipped = selected.length - possible.length;
  return (
    <FormModal
      title={words.titles[action]}
      schema={NEEDS_REASON.has(action) ? withReason : withoutReason}
      initialValues={{ reason: "" }}
      command={{ running: running, failure: failure, reset: () => setFailure(undefined) }}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.labels[action]}
      submitDisabled={rest.length === 0}
      danger={DANGEROUS.has(action)}
    >
      {(form) => (
        <>
          <p className={shared.hint}>{words.effects[action]}</p>
          {skipped > 0 && <p className={shared.hint}>{words.skipped(skipped)}</p>}
          <Affected transfers={rest} />
          {NEEDS_REASON.has(action) && (
            <ReasonField
              label={words.reason}
              required
              data-autofocus
              maxLength={REASON_CHARS_MAX}
              {...form.getInputProps("reason")}
            />
          )}
        </>
      )}
    </FormModal>
  );
}

function Affected({ transfers }: { transfers: readonly Transfer[] }) {
  const sum = transfers.reduce((total, { amount }) => total + amount, 0);
  return (
    <>
      <ScrollRegion label={words.affected} className={styles.list}>
        <ul className={styles.rows} aria-label={words.affected}>
          {transfers.map((transfer) => (
            <li key={transfer.id}>
              <strong>{transfer.business.name}</strong>
              <strong>{money(transfer.amount)}</strong>
              <small>
                <UnbrokenNumbers>{destinationText(transfer)}</UnbrokenNumbers>
              </small>
              <small>
                {withdrawalsStrings.transfers.columns.net} {money(transfer.net_amount)}
              </small>
              {transfer.destination_changed_at && (
                <small className={styles.changed}>
                  {words.destinationChangedAt} <Instant at={transfer.destination_changed_at} />
                </small>
              )}
              {transfer.requester_access_at && (
                <small className={styles.changed}>
                  {words.requesterAccessAt} <Instant at={transfer.requester_access_at} />
                </small>
              )}
            </li>
          ))}
        </ul>
      </ScrollRegion>
      {transfers.length > 1 && (
        <p className={styles.sum}>
          <span>{words.sum}</span>
          <span>{money(sum)}</span>
        </p>
      )}
    </>
  );
}
