// A status as a word on a colour. The records are complete by type: a new status fails to compile here.
import type { ReceivableStatus, SaleStatus } from "../api/models";
import { strings } from "../strings/pt-BR";
import styles from "./StatusBadge.module.css";

type Tone = "good" | "wait" | "bad" | "alarm" | "quiet" | "info";

const SALE_TONES: Record<SaleStatus, Tone> = {
  new: "info",
  created: "info",
  pending: "wait",
  succeeded: "good",
  failed: "bad",
  canceled: "quiet",
  refunded: "quiet",
  reversed: "quiet",
  dispute: "alarm",
  charged_back: "alarm",
};

const RECEIVABLE_TONES: Record<ReceivableStatus, Tone> = {
  scheduled: "wait",
  settled: "good",
  brought_forward: "info",
};

function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

export function StatusBadge({ status }: { status: SaleStatus }) {
  return <Badge tone={SALE_TONES[status]}>{strings.status[status]}</Badge>;
}

export function ReceivableBadge({ status }: { status: ReceivableStatus }) {
  return <Badge tone={RECEIVABLE_TONES[status]}>{strings.receivableStatus[status]}</Badge>;
}
