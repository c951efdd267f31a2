// The events of a sale, oldest first: title, time, author and reason.
import {
  IconArrowBackUp,
  IconBuildingBank,
  IconCircleCheck,
  IconCirclePlus,
  IconCircleX,
  IconFlag,
  IconGavel,
  IconId,
  IconLockOpen,
  IconShieldCheck,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { SaleEvent } from "../../api/models";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import shared from "../../components/Shared.module.css";
import { TimelineEntry, type TimelineIcon } from "../../components/TimelineEntry";
import { money } from "../../format/money";
import { salesStrings } from "../../strings/pt-BR.sales";
import { eventDetails, eventTitle } from "./eventText";
import styles from "./SalePage.module.css";

type Label = SaleEvent["label"];

const ICONS: Record<Label, TimelineIcon> = {
  created: IconCirclePlus,
  authorization: IconShieldCheck,
  paid: IconCircleCheck,
  reversal: IconArrowBackUp,
  part_refunded: IconArrowBackUp,
  refund_answered: IconCircleCheck,
  disputed: IconFlag,
  dispute_won: IconGavel,
  charged_back: IconArrowBackUp,
  failed: IconCircleX,
  canceled: IconCircleX,
  settled: IconBuildingBank,
  reserve_released: IconLockOpen,
  named: IconId,
};

const TONES: Record<Label, "good" | "bad" | "plain"> = {
  created: "plain",
  authorization: "plain",
  paid: "good",
  reversal: "plain",
  part_refunded: "plain",
  refund_answered: "plain",
  disputed: "bad",
  dispute_won: "good",
  charged_back: "bad",
  failed: "bad",
  canceled: "bad",
  settled: "good",
  reserve_released: "good",
  named: "plain",
};

interface TimelineProps {
  events: readonly SaleEvent[];
  /** The action below an event. */
  action?: ((event: SaleEvent) => ReactNode) | undefined;
  /** Below the events. */
  proof?: ReactNode;
}

export function Timeline({ events, action, proof }: TimelineProps) {
  return (
    <Panel title={salesStrings.sale.events}>
      <ol className={shared.list}>
        {events.map((event) => (
          <TimelineEntry key={event.id} icon={ICONS[event.label]} tone={TONES[event.label]}>
            <div className={styles.eventText}>
              <strong>{eventTitle(event)}</strong>
              <span className={styles.eventTime}>
                <Instant at={event.occurred_at} />
              </span>
              {eventDetails(event).map((detail) => (
                <span key={detail} className={styles.eventTime}>
                  {detail}
                </span>
              ))}
              {action?.(event)}
            </div>
            {event.amount !== null && <span className={styles.eventAmount}>{money(event.amount)}</span>}
          </TimelineEntry>
        ))}
      </ol>
      {proof}
    </Panel>
  );
}
