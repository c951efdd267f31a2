// The actions on a user: edit, activate or deactivate, delete. A disabled action shows its reason.
import { IconPencil, IconTrash, IconUserCheck, IconUserOff } from "@tabler/icons-react";
import { useState } from "react";
import type { Failure } from "../../api/failure";
import { ReasonedButton } from "../../components/ReasonedButton";
import { usersStrings } from "../../strings/pt-BR.users";
import { ConfirmModal } from "./ConfirmModal";
import styles from "./Users.module.css";

const words = usersStrings.user;
const asked = usersStrings.confirmUser;

/** Why each action is disabled; undefined if it is not. */
export interface WhyNot {
  edit?: string | undefined;
  switch?: string | undefined;
  remove?: string | undefined;
}

interface Doing {
  run: () => Promise<unknown>;
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

interface UserActionsProps {
  user: { name: string; active: boolean };
  why: WhyNot;
  onEdit: () => void;
  /** Activates an inactive user, deactivates an active one. */
  switching: Doing;
  removing: Doing;
  onSwitched: (active: boolean) => void;
  onRemoved: () => void;
}

export function UserActions(props: UserActionsProps) {
  const { user, why, onEdit, switching, removing, onSwitched, onRemoved } = props;
  // The question keeps its wording while it is open, even if the user is read again.
  const [asking, setAsking] = useState<"deactivate" | "activate" | "remove">();
  const close = () => {
    setAsking(undefined);
    switching.reset();
    removing.reset();
  };
  const { name, active } = user;
  return (
    <div className={styles.actions}>
      <ReasonedButton
        variant="default"
        leftSection={<IconPencil size={17} aria-hidden />}
        why={why.edit}
        onClick={onEdit}
      >
        {words.edit}
      </ReasonedButton>
      <ReasonedButton
        variant="default"
        leftSection={active ? <IconUserOff size={17} aria-hidden /> : <IconUserCheck size={17} aria-hidden />}
        why={why.switch}
        onClick={() => setAsking(active ? "deactivate" : "activate")}
      >
        {active ? words.deactivate : words.activate}
      </ReasonedButton>
      <ReasonedButton
        variant="default"
        leftSection={<IconTrash size={17} aria-hidden />}
        why={why.remove}
        onClick={() => setAsking("remove")}
      >
        {words.remove}
      </ReasonedButton>
      {asking === "remove" ? (
        <ConfirmModal
          title={asked.removeTitle}
          effects={[asked.remove(name)]}
          submitLabel={words.remove}
          danger
          command={removing}
          run={removing.run}
          onDone={onRemoved}
          onClose={close}
        />
      ) : (
        asking && (
          <ConfirmModal
            title={asking === "deactivate" ? asked.deactivateTitle : asked.activateTitle}
            effects={[asked[asking](name)]}
            submitLabel={words[asking]}
            danger={asking === "deactivate"}
            command={switching}
            run={switching.run}
            onDone={() => {
              close();
              onSwitched(asking === "activate");
            }}
            onClose={close}
          />
        )
      )}
    </div>
  );
}
