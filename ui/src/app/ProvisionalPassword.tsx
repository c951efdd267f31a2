// Tells a user whose password another user set what it does not allow, and sends the link for one of their own.
import { Alert, Button } from "@mantine/core";
import { IconLockExclamation } from "@tabler/icons-react";
import { useState } from "react";
import { accountCalls } from "../api/accountCalls";
import { useCommand } from "../api/hooks";
import { useSession, useTimeZone } from "../api/session";
import alertStyles from "../components/ServerMessage.module.css";
import { instant } from "../format/dates";
import { accountStrings } from "../strings/pt-BR.account";
import styles from "./Shell.module.css";

const words = accountStrings.provisionalPassword;

export default function ProvisionalPassword() {
  const { user } = useSession();
  const zone = useTimeZone();
  const forgot = useCommand(accountCalls.forgotPassword, { refreshes: [] });
  const [sent, setSent] = useState(false);
  if (!user?.passwordProvisional) return null;
  const { email, ownPasswordFrom } = user;
  const send = () =>
    forgot
      .run({ body: { email } })
      .then(() => setSent(true))
      .catch(() => undefined);
  return (
    <Alert
      className={alertStyles.alert}
      data-variant="warning"
      role="status"
      icon={<IconLockExclamation size={20} aria-hidden />}
      title={words.title}
    >
      <p className={styles.provisional}>
        {words.text} {ownPasswordFrom ? words.from(email, instant(ownPasswordFrom, zone)) : words.how(email)}
      </p>
      {forgot.failure && (
        <p className={styles.provisional} role="alert">
          {forgot.failure.message}
        </p>
      )}
      {sent ? (
        <p className={styles.provisional}>{words.sent(email)}</p>
      ) : (
        !ownPasswordFrom && (
          <Button variant="default" size="sm" loading={forgot.running} onClick={() => void send()}>
            {words.send}
          </Button>
        )
      )}
    </Alert>
  );
}
