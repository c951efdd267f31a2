// The e-mail that the user signs in with, with buttons to verify and to change it.
import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { accountCalls, ME } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import type { Admin, Seller } from "../../api/models";
import { useTimeZone } from "../../api/session";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { VerifiedBadge } from "../../components/StatusBadge";
import { instant } from "../../format/dates";
import { accountStrings } from "../../strings/pt-BR.account";
import styles from "./Account.module.css";

const ChangeEmailModal = lazy(() => import("./ChangeEmailModal"));

const words = accountStrings.account;

interface EmailPanelProps {
  me: Seller | Admin;
  onDone: (message: string) => void;
}

export function EmailPanel({ me, onDone }: EmailPanelProps) {
  const verification = useCommand(accountCalls.requestVerification, { refreshes: [ME] });
  const zone = useTimeZone();
  const [changing, setChanging] = useState(false);
  const requestAgain = () =>
    verification
      .run({})
      .then(() => onDone(words.verificationSent(me.email)))
      .catch(() => undefined);
  return (
    <Panel title={words.emailTitle} hint={words.emailHint}>
      <ServerMessage
        message={verification.failure?.message}
        code={verification.failure?.code}
        onClose={verification.reset}
      />
      <p className={styles.address}>
        {me.email} <VerifiedBadge verified={me.email_verified} />
      </p>
      {me.pending_email && (
        <p className={styles.pending}>
          {me.pending_email_at
            ? words.pendingUntil(me.pending_email, instant(me.pending_email_at, zone))
            : words.pending(me.pending_email)}
        </p>
      )}
      <div className={styles.actions}>
        {!me.email_verified && (
          <Button variant="default" loading={verification.running} onClick={() => void requestAgain()}>
            {words.requestVerification}
          </Button>
        )}
        <Button variant="default" onClick={() => setChanging(true)}>
          {words.changeEmail}
        </Button>
      </div>
      <Suspense>
        {changing && (
          <ChangeEmailModal
            onClose={() => setChanging(false)}
            onDone={(message) => {
              setChanging(false);
              onDone(message);
            }}
          />
        )}
      </Suspense>
    </Panel>
  );
}
