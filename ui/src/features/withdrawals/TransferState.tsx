// The state of a transfer in a list and on its page.
import { Tooltip } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { Transfer } from "../../api/models";
import { TransferBadge } from "../../components/StatusBadge";
import { withdrawalsStrings } from "../../strings/pt-BR.withdrawals";
import { isReturned } from "./actions";
import { PENDING, PROCESSING } from "./transferCodes";
import styles from "./Withdrawals.module.css";

const { queue } = withdrawalsStrings;

/** The status, the approvals, and warnings that the bank's answer needs attention or that the destination or the user is new. */
export function TransferState({ transfer }: { transfer: Transfer }) {
  // Null for sellers: only staff see how a withdrawal is approved.
  const { approvals, approvals_needed } = transfer;
  const partlyApproved = transfer.status === PENDING && approvals !== null && approvals > 0;
  return (
    <span className={styles.status}>
      <TransferBadge status={transfer.status} />
      {partlyApproved && (
        <span className={styles.small}>{queue.approvals(approvals, approvals_needed ?? 1)}</span>
      )}
      {transfer.status === PROCESSING && transfer.by_hand && (
        <span className={styles.small}>{queue.byHand}</span>
      )}
      {isReturned(transfer) && <span className={styles.small}>{withdrawalsStrings.returned.byBank}</span>}
      {transfer.needs_attention && <Warning label={queue.attention} />}
      {transfer.destination_changed_at && <Warning label={queue.destinationChanged} />}
      {transfer.requester_access_at && <Warning label={queue.requesterIsNew} />}
    </span>
  );
}

function Warning({ label }: { label: string }) {
  return (
    <Tooltip label={label} withArrow>
      <span className={styles.attention} role="img" aria-label={label}>
        <IconAlertTriangle size={16} aria-hidden />
      </span>
    </Tooltip>
  );
}
