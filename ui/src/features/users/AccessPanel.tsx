// A user's companies: the group in each, since when, and the actions that the signed-in user may take.
import { Button } from "@mantine/core";
import { useState } from "react";
import type { SellerRole } from "../../api/models";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { Instant } from "../../components/Instant";
import { Panel } from "../../components/Panel";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";
import { AccessModal } from "./AccessModal";
import { useRemoveAccess } from "./accessCalls";
import type { OwnCompany } from "./groups";
import styles from "./Users.module.css";

const words = usersStrings.user.access;
const questions = usersStrings.confirmUser;

interface ShownAccess {
  id: string;
  name: string;
  role: SellerRole;
  granted_at?: string;
}

interface AccessPanelProps {
  user: { id: string; name: string };
  accesses: readonly ShownAccess[];
  /** The number of the user's companies that the signed-in seller does not manage. Their names are not shown. */
  otherCompanies?: number;
  /** The companies that the signed-in seller manages. Undefined for staff, who grant access to any. */
  companies?: readonly OwnCompany[];
  /** Why an access cannot be changed; undefined if it can. */
  disabledReasonOf: (access: ShownAccess) => string | undefined;
  grantDisabledReason?: string | undefined;
  /** Whether the page can no longer show the user without this access. */
  hidesUser: (access: ShownAccess) => boolean;
  onDone: (message: string) => void;
  onUserHidden: (message: string) => void;
}

type Question = { what: "change" | "remove"; access: ShownAccess } | { what: "grant" };

export function AccessPanel(props: AccessPanelProps) {
  const { user, accesses, otherCompanies = 0, companies } = props;
  const grantable = companies?.filter(({ id }) => !accesses.some((access) => access.id === id));
  const [question, setQuestion] = useState<Question>();
  const close = () => setQuestion(undefined);
  const done = (message: string) => {
    close();
    props.onDone(message);
  };
  return (
    <Panel title={words.title} hint={words.hint}>
      {accesses.length + otherCompanies === 0 && <p className={styles.note}>{words.none}</p>}
      <ul className={styles.accesses} aria-label={words.title}>
        {accesses.map((access) => (
          <li key={access.id}>
            <AccessText access={access} />
            <AccessButtons
              access={access}
              disabledReason={props.disabledReasonOf(access)}
              onAsk={(what) => setQuestion({ what, access })}
            />
          </li>
        ))}
      </ul>
      <div className={styles.accessEnd}>
        <span className={styles.note}>{otherCompanies > 0 && words.otherCompanies(otherCompanies)}</span>
        <ReasonedButton
          variant="default"
          size="sm"
          disabledReason={
            props.grantDisabledReason ??
            (grantable?.length === 0 ? usersStrings.user.disabledReasons.inAllCompanies : undefined)
          }
          onClick={() => setQuestion({ what: "grant" })}
        >
          {words.grant}
        </ReasonedButton>
      </div>
      {question?.what === "grant" && (
        <AccessModal
          userId={user.id}
          companies={grantable}
          onClose={close}
          onDone={(business) => done(usersStrings.user.granted(business))}
        />
      )}
      {question?.what === "change" && (
        <AccessModal
          userId={user.id}
          access={question.access}
          companies={companies}
          onClose={close}
          onDone={(business) => done(usersStrings.user.changed(business))}
        />
      )}
      {question?.what === "remove" && (
        <RemoveAccess
          user={user}
          access={question.access}
          last={accesses.length + otherCompanies === 1}
          hidesUser={props.hidesUser(question.access)}
          onClose={close}
          onDone={props.hidesUser(question.access) ? props.onUserHidden : done}
        />
      )}
    </Panel>
  );
}

function AccessText({ access: { name, role, granted_at } }: { access: ShownAccess }) {
  return (
    <div>
      <strong>{name}</strong>
      <span className={styles.small}>
        {strings.roles[role]}
        {granted_at && (
          <>
            , {words.since} <Instant at={granted_at} />
          </>
        )}
      </span>
    </div>
  );
}

interface AccessButtonsProps {
  access: ShownAccess;
  disabledReason: string | undefined;
  onAsk: (what: "change" | "remove") => void;
}

function AccessButtons({ access: { name }, disabledReason, onAsk }: AccessButtonsProps) {
  if (disabledReason) return <span className={styles.small}>{disabledReason}</span>;
  return (
    <div className={shared.actions}>
      <Button variant="default" size="xs" aria-label={words.changeOf(name)} onClick={() => onAsk("change")}>
        {words.change}
      </Button>
      <Button variant="default" size="xs" aria-label={words.removeOf(name)} onClick={() => onAsk("remove")}>
        {words.remove}
      </Button>
    </div>
  );
}

interface RemoveAccessProps {
  user: { id: string; name: string };
  access: ShownAccess;
  last: boolean;
  hidesUser: boolean;
  onClose: () => void;
  onDone: (message: string) => void;
}

function RemoveAccess({ user, access, last, hidesUser, onClose, onDone }: RemoveAccessProps) {
  const removal = useRemoveAccess(user.id, hidesUser);
  return (
    <ConfirmModal
      title={questions.removeAccessTitle}
      effects={[questions.removeAccess(user.name, access.name), ...(last ? [questions.lastAccess] : [])]}
      submitLabel={words.remove}
      danger
      command={removal}
      run={() => removal.run(access.id)}
      onDone={() => onDone(usersStrings.user.accessRemoved(access.name))}
      onClose={onClose}
    />
  );
}
