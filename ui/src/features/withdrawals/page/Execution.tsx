// The proof of a withdrawal's execution: one line for each decision, each call to the bank and each of its answers.

import { Skeleton } from "@mantine/core";
import {
  IconAlertTriangle,
  IconArrowBackUp,
  IconArrowUpRight,
  IconBell,
  IconCircleCheck,
  IconCirclePlus,
  IconCircleX,
  IconClock,
  IconKey,
  IconSearch,
  IconUserCheck,
} from "@tabler/icons-react";
import type { Read } from "../../../api/hooks";
import type { ExecutionStep, TransferExecution } from "../../../api/models";
import { useTimeZone } from "../../../api/session";
import { FailureNotice } from "../../../components/Notice";
import { Panel } from "../../../components/Panel";
import type { TimelineIcon } from "../../../components/TimelineEntry";
import { instant } from "../../../format/dates";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import { stepCodes, stepDetails, stepTitle } from "./executionText";
import styles from "./WithdrawalPage.module.css";

const words = withdrawalsStrings.page.execution;

type Tone = "good" | "bad" | "wait" | "plain";

const ICONS: Record<ExecutionStep["kind"], TimelineIcon> = {
  requested: IconCirclePlus,
  approval_given: IconUserCheck,
  processing: IconKey,
  order: IconArrowUpRight,
  look_up: IconSearch,
  notice: IconBell,
  paid: IconCircleCheck,
  refused: IconCircleX,
  failed: IconCircleX,
  reopened: IconArrowBackUp,
  returned: IconArrowBackUp,
  made: IconCirclePlus,
  charged: IconCirclePlus,
  canceled: IconArrowBackUp,
};

const TONES: Partial<Record<ExecutionStep["kind"], Tone>> = {
  paid: "good",
  refused: "bad",
  failed: "bad",
  returned: "bad",
  canceled: "bad",
};

const OUTCOME_TONES: Partial<Record<NonNullable<ExecutionStep["outcome"]>, Tone>> = {
  paid: "good",
  failed: "bad",
  returned: "bad",
  no_answer: "wait",
  unrecorded: "wait",
  waiting: "wait",
  rejected: "bad",
};

/** A call that has no answer shows that, and not its own kind. */
function iconOf({ kind, outcome }: ExecutionStep): TimelineIcon {
  if (outcome === "no_answer" || outcome === "waiting") return IconClock;
  if (outcome === "rejected" || outcome === "unrecorded") return IconAlertTriangle;
  return ICONS[kind];
}

const toneOf = ({ kind, outcome }: ExecutionStep): Tone =>
  (outcome ? OUTCOME_TONES[outcome] : TONES[kind]) ?? "plain";

export function Execution({ read }: { read: Read<TransferExecution> }) {
  const { data, error } = read;
  return (
    <Panel title={words.title} hint={words.hint} flush>
      {data ? (
        <ol className={styles.steps} aria-label={words.title}>
          {data.data.map((step, index) => (
            // Steps are only added at the end.
            <Step key={index} step={step} />
          ))}
        </ol>
      ) : error ? (
        <div className={styles.inner}>
          <FailureNotice failure={error} onRetry={() => void read.mutate()} />
        </div>
      ) : (
        <div className={styles.inner}>
          <Skeleton height={160} />
        </div>
      )}
    </Panel>
  );
}

function Step({ step }: { step: ExecutionStep }) {
  const zone = useTimeZone();
  const Icon = iconOf(step);
  return (
    <li>
      <time dateTime={step.at} className={styles.stepTime}>
        <span>{instant(step.at, zone, "DD/MM/YYYY")}</span> {instant(step.at, zone, "HH:mm:ss,SSS")}
      </time>
      <span className={styles.stepIcon} data-tone={toneOf(step)} aria-hidden>
        <Icon size={15} stroke={2} />
      </span>
      <strong>{stepTitle(step)}</strong>
      <span className={styles.stepDetails}>
        {stepDetails(step).join(" · ")}
        {stepCodes(step).map((code) => (
          <code key={code}>{code}</code>
        ))}
      </span>
    </li>
  );
}
