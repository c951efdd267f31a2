// The facts of a user: the e-mail and whether it is verified, the date of creation, and the last sign-in.
import { FactList } from "../../components/FactList";
import type { Fact } from "../../components/facts";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { usersStrings } from "../../strings/pt-BR.users";
import { LastSignIn } from "./columns";
import styles from "./Users.module.css";

const words = usersStrings.user;

interface FactsProps {
  user: { email: string; email_verified: boolean; created_at: string; last_sign_in_at?: string | null };
  /** Facts that only some users have: a CPF, groups. */
  more: readonly Fact[];
}

export function Facts({ user, more }: FactsProps) {
  const facts: Fact[] = [
    [words.email, <Email key="email" {...user} />],
    ...more,
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
  return (
    <>
      {email}
      <span className={styles.small}>{email_verified ? words.emailVerified : words.emailUnverified}</span>
    </>
  );
}
