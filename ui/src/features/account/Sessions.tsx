// The sessions of the signed-in user. Each, or all others at once, can be ended.
import { Button, Skeleton } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile, IconTerminal2 } from "@tabler/icons-react";
import { useState } from "react";
import { MY_SESSIONS } from "../../api/accountCalls";
import { useApi } from "../../api/hooks";
import type { OwnSession } from "../../api/models";
import { IconItem } from "../../components/IconItem";
import { Instant } from "../../components/Instant";
import { FailureNotice } from "../../components/Notice";
import { Panel } from "../../components/Panel";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { type DeviceKind, deviceKind, deviceText } from "../../format/device";
import { accountStrings } from "../../strings/pt-BR.account";
import { EndSessionModal } from "./EndSessionModal";
import styles from "./Sessions.module.css";

const words = accountStrings.sessions;

const ICONS: Record<DeviceKind, typeof IconTerminal2> = {
  phone: IconDeviceMobile,
  desk: IconDeviceDesktop,
  program: IconTerminal2,
};

export function Sessions({ onDone }: { onDone: (message: string) => void }) {
  const { data, error, mutate } = useApi(MY_SESSIONS);
  const [ending, setEnding] = useState<OwnSession | "others">();
  const sessions = data?.data;
  const others = (
    <ReasonedButton
      variant="default"
      disabledReason={sessions && sessions.length < 2 ? words.onlyThis : undefined}
      onClick={() => setEnding("others")}
    >
      {words.endOthers}
    </ReasonedButton>
  );
  return (
    <Panel title={words.title} hint={words.hint} action={<div className={styles.wide}>{others}</div>}>
      {sessions ? (
        <ul className={shared.list} aria-label={words.list}>
          {sessions.map((session) => (
            <Session key={session.id} session={session} onEnd={() => setEnding(session)} />
          ))}
        </ul>
      ) : error ? (
        <FailureNotice failure={error} onRetry={() => void mutate()} />
      ) : (
        <Skeleton height={140} />
      )}
      <div className={styles.narrow}>{others}</div>
      {ending && (
        <EndSessionModal
          ending={ending}
          onClose={() => setEnding(undefined)}
          onDone={(message) => {
            setEnding(undefined);
            onDone(message);
          }}
        />
      )}
    </Panel>
  );
}

function Session({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const device = deviceText(session.user_agent);
  return (
    <IconItem
      icon={ICONS[deviceKind(session.user_agent)]}
      title={device}
      hint={session.user_agent}
      badge={session.current && words.current}
      good
      details={[
        [words.address, session.address],
        [words.since, <Instant key="since" at={session.created_at} />],
        [words.lastUse, <Instant key="use" at={session.last_used_at} />],
      ]}
      action={
        <Button variant="default" size="xs" aria-label={words.endOf(device)} onClick={onEnd}>
          {words.end}
        </Button>
      }
    />
  );
}
