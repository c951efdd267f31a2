// What happened to a hold, the latest first.
import {
  IconBuildingBank,
  IconFileSearch,
  IconGavel,
  IconLock,
  IconLockOpen,
  IconPencil,
  IconPlus,
} from "@tabler/icons-react";
import type { HoldRow, HoldStep } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { TimelineEntry, type TimelineIcon } from "../../components/TimelineEntry";
import { money } from "../../format/money";
import { holdsStrings as words } from "../../strings/pt-BR.holds";
import styles from "./Holds.module.css";

const ICONS: Record<HoldStep["kind"], TimelineIcon> = {
  placed: IconLock,
  raised: IconPlus,
  changed: IconPencil,
  released: IconLockOpen,
  paid: IconBuildingBank,
};

export const KIND_ICONS: Record<HoldRow["kind"], TimelineIcon> = {
  analysis: IconFileSearch,
  reserve: IconLock,
  judicial: IconGavel,
  contract: IconBuildingBank,
  company: IconLock,
};

export function HoldHistory({ steps }: { steps: readonly HoldStep[] }) {
  return (
    <Panel title={words.history}>
      <ol className={styles.steps} aria-label={words.historyList}>
        {[...steps].reverse().map((step) => (
          <TimelineEntry
            key={`${step.occurred_at} ${step.kind} ${step.amount}`}
            icon={ICONS[step.kind]}
            tone={step.kind === "released" ? "good" : "plain"}
          >
            <div className={styles.step}>
              <p>
                <strong>{words.steps[step.kind]}</strong>
                {step.amount > 0 && <span> · {money(step.amount)}</span>}
              </p>
              {step.text && <p>{step.text}</p>}
              <p className={shared.dim}>
                <Instant at={step.occurred_at} />
                {step.by && ` · ${step.by}`}
              </p>
            </div>
          </TimelineEntry>
        ))}
      </ol>
    </Panel>
  );
}
