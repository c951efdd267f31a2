// The user account of the signed-in user: name, e-mail, password, preferences, and sessions.
import { Skeleton } from "@mantine/core";
import { useState } from "react";
import { ME } from "../../api/accountCalls";
import { useApi } from "../../api/hooks";
import { FailureNotice } from "../../components/Notice";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { ServerMessage } from "../../components/ServerMessage";
import { accountStrings } from "../../strings/pt-BR.account";
import styles from "./Account.module.css";
import { EmailPanel } from "./EmailPanel";
import { PasswordPanel } from "./PasswordPanel";
import { Preferences } from "./Preferences";
import { ProfilePanel } from "./ProfilePanel";
import { Sessions } from "./Sessions";

const words = accountStrings.account;

export default function AccountPage() {
  const { data: me, error, mutate } = useApi(ME);
  const [done, setDone] = useState<string>();
  return (
    <>
      <PageHeader title={words.title} hint={words.hint} />
      <ServerMessage message={done} variant="success" onClose={() => setDone(undefined)} />
      {me ? (
        <div className={styles.panels}>
          <ProfilePanel key={me.name} name={me.name} onDone={setDone} />
          <EmailPanel me={me} onDone={setDone} />
          <PasswordPanel email={me.email} onDone={setDone} />
          <Preferences
            timeZone={me.time_zone}
            paidLinkEmails={"paid_link_emails" in me ? me.paid_link_emails : undefined}
          />
        </div>
      ) : error ? (
        <Panel label={words.title}>
          <FailureNotice failure={error} onRetry={() => void mutate()} />
        </Panel>
      ) : (
        <Skeleton height={420} radius={12} />
      )}
      <Sessions onDone={setDone} />
    </>
  );
}
