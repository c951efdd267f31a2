// A status as a word on a color.
import type {
  AdjustmentRequest,
  ExceptionRow,
  PlanChange,
  ReceivableStatus,
  SaleRow,
  SaleStatus,
  TransferStatus,
} from "../api/models";
import { approvalText } from "../format/business";
import { lookUp } from "../format/lookUp";
import { money } from "../format/money";
import { strings } from "../strings/pt-BR";
import { personStrings } from "../strings/pt-BR.person";
import { statusStrings } from "../strings/pt-BR.status";
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
  accelerated: "info",
  refunded: "info",
};

/** The keys are the API's numbers: pending, completed, processing, refused, failed. */
const TRANSFER_TONES: Record<TransferStatus, Tone> = {
  0: "wait",
  1: "good",
  2: "info",
  3: "bad",
  4: "alarm",
};

const EXCEPTION_TONES: Record<ExceptionRow["status"], Tone> = {
  waiting: "wait",
  resolved: "good",
  closed: "quiet",
};

/** The approval of a company by staff. `ApprovalBadge` shows any other value as undecided. */
const APPROVAL_TONES: Record<keyof typeof strings.approval, Tone> = {
  pending: "wait",
  enabled: "good",
  denied: "bad",
  deleted: "quiet",
};

const PLAN_CHANGE_TONES: Record<PlanChange["status"], Tone> = {
  pending: "wait",
  approved: "good",
  rejected: "bad",
  withdrawn: "quiet",
};

const ADJUSTMENT_TONES: Record<AdjustmentRequest["status"], Tone> = {
  pending: "wait",
  approved: "wait",
  recorded: "good",
  refused: "bad",
  rejected: "bad",
  withdrawn: "quiet",
  expired: "quiet",
};

export function Badge({ tone, children }: { tone: Tone; children: string }) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {children}
    </span>
  );
}

export function StatusBadge({ status }: { status: SaleStatus }) {
  return <Badge tone={SALE_TONES[status]}>{statusStrings.status[status]}</Badge>;
}

/** The status, and what went back to the buyer in parts. */
export function SaleBadge({ sale }: { sale: Pick<SaleRow, "status" | "refunded" | "charged_back"> }) {
  return (
    <span className={styles.withParts}>
      <StatusBadge status={sale.status} />
      {sale.refunded > 0 && (
        <span className={styles.part}>{statusStrings.partRefunded(money(sale.refunded))}</span>
      )}
      {sale.charged_back > 0 && (
        <span className={styles.part}>{statusStrings.partChargedBack(money(sale.charged_back))}</span>
      )}
    </span>
  );
}

interface ReceivableBadgeProps {
  status: ReceivableStatus;
  /** Replaces the status's own text, for example by 'Antecipado por contestação'. */
  text?: string | undefined;
}

export function ReceivableBadge({ status, text }: ReceivableBadgeProps) {
  return <Badge tone={RECEIVABLE_TONES[status]}>{text ?? statusStrings.receivableStatus[status]}</Badge>;
}

export function TransferBadge({ status }: { status: TransferStatus }) {
  return <Badge tone={TRANSFER_TONES[status]}>{statusStrings.transferStatus[status]}</Badge>;
}

export function ExceptionBadge({ status }: Pick<ExceptionRow, "status">) {
  return <Badge tone={EXCEPTION_TONES[status]}>{statusStrings.exceptionStatus[status]}</Badge>;
}

/** For users and plans. */
export function ActiveBadge({ active }: { active: boolean }) {
  return <Badge tone={active ? "good" : "quiet"}>{strings.activeStatus[active ? 1 : 0]}</Badge>;
}

/** Whether the user's e-mail address is verified. */
export function VerifiedBadge({ verified }: { verified: boolean }) {
  return (
    <Badge tone={verified ? "good" : "wait"}>
      {verified ? personStrings.verified : personStrings.notVerified}
    </Badge>
  );
}

/** Whether a company has the card machine. */
export function TerminalBadge({ inUse, text }: { inUse: boolean; text: string }) {
  return <Badge tone={inUse ? "good" : "quiet"}>{text}</Badge>;
}

export function PlanChangeBadge({ status, text }: { status: PlanChange["status"]; text: string }) {
  return <Badge tone={PLAN_CHANGE_TONES[status]}>{text}</Badge>;
}

export function AdjustmentBadge({ status, text }: { status: AdjustmentRequest["status"]; text: string }) {
  return <Badge tone={ADJUSTMENT_TONES[status]}>{text}</Badge>;
}

export function ApprovalBadge({ approval }: { approval: string }) {
  return <Badge tone={lookUp(APPROVAL_TONES, approval) ?? "wait"}>{approvalText(approval)}</Badge>;
}
