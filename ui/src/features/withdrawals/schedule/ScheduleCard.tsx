// A seller's scheduled withdrawals: what is scheduled, and what became of the last days.
import { Button, Skeleton } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMayCall } from "../../../api/access";
import { useApi, useCommand } from "../../../api/hooks";
import type { WithdrawalSchedule, WithdrawalScheduleRun } from "../../../api/models";
import { useBusiness } from "../../../api/session";
import { RunOutcome } from "../../../api/words.json";
import { FactList } from "../../../components/FactList";
import { ConfirmModal } from "../../../components/forms/ConfirmModal";
import { FailureNotice } from "../../../components/Notice";
import { Panel } from "../../../components/Panel";
import { ServerMessage } from "../../../components/ServerMessage";
import shared from "../../../components/Shared.module.css";
import { WithdrawalLink } from "../../../components/WithdrawalLink";
import { businessDate } from "../../../format/dates";
import { money } from "../../../format/money";
import { scheduleStrings } from "../../../strings/pt-BR.schedule";
import { withdrawalsStrings } from "../../../strings/pt-BR.withdrawals";
import styles from "./Schedule.module.css";
import { scheduleText } from "./schedule";

const ScheduleModal = lazy(() => import("./ScheduleModal"));

const words = scheduleStrings;
const REFRESHES = ["/balance/withdrawal-schedule"] as const;
const DAY = "ddd, DD/MM/YYYY";

export default function ScheduleCard() {
  const { id: business_id } = useBusiness();
  const read = useApi("/balance/withdrawal-schedule", { query: { business_id } }, { keepPrevious: false });
  const remove = useCommand("DELETE /balance/withdrawal-schedule", { refreshes: REFRESHES });
  const maySet = useMayCall("POST /balance/withdrawal-schedule");
  const [asked, setAsked] = useState<"set" | "remove">();
  const [message, setMessage] = useState<string>();
  const { data } = read;
  const close = () => setAsked(undefined);
  const done = (text: string) => {
    close();
    setMessage(text);
  };
  return (
    <Panel
      title={words.title}
      action={
        data &&
        maySet && (
          <div className={shared.actions}>
            <Button variant="default" size="xs" onClick={() => setAsked("set")}>
              {data.schedule ? words.change : words.set}
            </Button>
            {data.schedule && (
              <Button
                variant="default"
                size="xs"
                onClick={() => {
                  remove.reset();
                  setAsked("remove");
                }}
              >
                {words.remove}
              </Button>
            )}
          </div>
        )
      }
    >
      <ServerMessage message={message} variant="success" onClose={() => setMessage(undefined)} />
      {data ? (
        <Loaded schedule={data.schedule} runs={data.runs} />
      ) : read.error ? (
        <FailureNotice failure={read.error} onRetry={() => void read.mutate()} />
      ) : (
        <Skeleton height={60} />
      )}
      {asked === "set" && data && (
        <Suspense>
          <ScheduleModal
            businessId={business_id}
            schedule={data.schedule}
            onClose={close}
            onDone={() => done(words.saved)}
          />
        </Suspense>
      )}
      {asked === "remove" && (
        <ConfirmModal
          title={words.removeTitle}
          effects={[words.removeEffect]}
          submitLabel={words.remove}
          danger
          command={remove}
          run={() => remove.run({ query: { business_id } })}
          onDone={() => done(words.removed)}
          onClose={close}
        />
      )}
    </Panel>
  );
}

interface LoadedProps {
  schedule: WithdrawalSchedule | null;
  runs: readonly WithdrawalScheduleRun[];
}

function Loaded({ schedule, runs }: LoadedProps) {
  return (
    <>
      {schedule ? (
        <>
          <p className={styles.sentence}>{scheduleText(schedule)}</p>
          <FactList
            variant="ruled"
            facts={[
              [words.next, schedule.next_on && words.nextOn(businessDate(schedule.next_on, DAY))],
              [words.setBy, schedule.set_by],
            ]}
          />
        </>
      ) : (
        <p className={shared.hint}>{words.none}</p>
      )}
      {runs.length > 0 && (
        <details className={styles.runs}>
          <summary>{words.runs}</summary>
          <ul aria-label={words.runs}>
            {runs.map((run) => (
              <RunLine key={run.on} run={run} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** "seg, 23/11/2026: Saque solicitado" with the amount, or with what was available. */
function RunLine({ run: { on, outcome, available, amount, transfer_id } }: { run: WithdrawalScheduleRun }) {
  const text = words.run(businessDate(on, DAY), RunOutcome[outcome]);
  return (
    <li>
      <span>{text}</span>
      {amount === null ? (
        <small>{words.available(money(available))}</small>
      ) : (
        <WithdrawalLink id={transfer_id ?? undefined} label={withdrawalsStrings.page.open(money(amount))}>
          {money(amount)}
        </WithdrawalLink>
      )}
    </li>
  );
}
