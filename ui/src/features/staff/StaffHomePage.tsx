// The home of the staff's panel: who is signed in, and as what.
import { useSession } from "../../api/session";
import { PageHeader } from "../../components/PageHeader";
import { Panel } from "../../components/Panel";
import { strings } from "../../strings/pt-BR";
import styles from "./StaffHomePage.module.css";

const words = strings.staffHome;

export default function StaffHomePage() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <>
      <PageHeader title={words.greeting(user.name)} hint={words.note} />
      <Panel title={words.signedInAs}>
        <dl className={styles.facts}>
          <div>
            <dt>{strings.login.email}</dt>
            <dd>{user.email}</dd>
          </div>
          <div>
            <dt>{words.roles}</dt>
            <dd>{user.roles.map((role) => staffRoles[role] ?? role).join(", ")}</dd>
          </div>
        </dl>
      </Panel>
    </>
  );
}

const staffRoles: Readonly<Record<string, string>> = strings.staffRoles;
