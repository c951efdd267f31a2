// The facts of a user: the e-mail and whether it is verified, the date of creation, and the last sign-in.
import { useTimeZone } from "../../api/session";
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { instant } from "../../format/dates";
import { usersStrings } from "../../strings/pt-BR.users";
import { LastSignIn } from "./columns";
import styles from "./Users.module.css";

const words = usersStrings.user;

interface FactsProps {
  user: {
    email: string;
    email_verified: boolean;
    pending_email: string | null;
    pending_email_at: string | null;
    password_provisional: boolean;
    created_at: string;
    last_sign_in_at?: string | null;
  };
  /** Facts that only some users have: a CPF, groups. */
  more: readonly Fact[];
}

export function Facts({ user, more }: FactsProps) {
  const zone = useTimeZone();
  const { pending_email, pending_email_at } = user;
  const pendingNote = pending_email_at
    ? words.emailPendingFrom(instant(pending_email_at, zone))
    : words.emailPendingConfirmation;
  const facts: Fact[] = [
    [words.email, <Email key="email" {...user} />],
    ...(pending_email
      ? [[words.emailPending, <Noted key="pending" text={pending_email} note={pendingNote} />] as const]
      : []),
    ...more,
    ...(user.password_provisional ? [[words.password, words.passwordProvisional] as const] : []),
    [words.createdAt, <Instant key="created" at={user.created_at} />],
    [words.lastSignIn, <LastSignIn key="last" user={user} />],
  ];
  return (
    <Panel title={words.facts}>
      <FactList facts={facts} variant="ruled" />
    </Panel>
  );
}

function Email({ email, email_verified }: { email: string; email_verified: boolean }) {
  return <Noted text={email} note={email_verified ? words.emailVerified : words.emailUnverified} />;
}

function Noted({ text, note }: { text: string; note: string }) {
  return (
    <>
      {text}
      <span className={styles.small}>{note}</span>
    </>
  );
}
