// What happened to a sale, oldest first, as the ledger recorded it.
import {
  IconArrowBackUp,
  IconBuildingBank,
  IconCircleCheck,
  IconCirclePlus,
  IconCircleX,
  IconFlag,
  IconShieldCheck,
} from "@tabler/icons-react";
import type { ComponentType } from "react";
import type { SaleEvent } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { money } from "../../format/money";
import { strings } from "../../strings/pt-BR";
import styles from "./SalePage.module.css";

type Label = SaleEvent["label"];

const ICONS: Record<Label, ComponentType<{ size?: number; stroke?: number }>> = {
  created: IconCirclePlus,
  authorization: IconShieldCheck,
  paid: IconCircleCheck,
  reversal: IconArrowBackUp,
  disputed: IconFlag,
  failed: IconCircleX,
  canceled: IconCircleX,
  settled: IconBuildingBank,
};

const TONES: Record<Label, "good" | "bad" | "plain"> = {
  created: "plain",
  authorization: "plain",
  paid: "good",
  reversal: "plain",
  disputed: "bad",
  failed: "bad",
  canceled: "bad",
  settled: "good",
};

export function Timeline({ events }: { events: readonly SaleEvent[] }) {
  return (
    <Panel title={strings.sale.events}>
      <ol className={styles.timeline}>
        {events.map((event) => {
          const Icon = ICONS[event.label];
          return (
            <li key={event.id} className={styles.event}>
              <span className={styles.eventIcon} data-tone={TONES[event.label]} aria-hidden>
                <Icon size={16} stroke={2} />
              </span>
              <div className={styles.eventText}>
                <strong>{strings.eventLabels[event.label]}</strong>
                <span className={styles.eventTime}>
                  <Instant at={event.occurred_at} />
                </span>
              </div>
              {event.amount !== null && <span className={styles.eventAmount}>{money(event.amount)}</span>}
            </li>
          );
        })}
      </ol>
    </Panel>
  );
}
