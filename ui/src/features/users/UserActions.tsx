// The actions on a user: edit, activate or deactivate, delete. A disabled action shows its reason.
import { IconPencil, IconTrash, IconUserCheck, IconUserOff } from "@tabler/icons-react";
import { useState } from "react";
import type { Failure } from "../../api/failure";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { ReasonedButton } from "../../components/ReasonedButton";
import shared from "../../components/Shared.module.css";
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.user;
const questions = usersStrings.confirmUser;

/** Why each action is disabled; undefined if it is not. */
export interface DisabledReasons {
  edit?: string | undefined;
  activation?: string | undefined;
  deletion?: string | undefined;
}

interface CommandState {
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

interface UserActionsProps {
  user: { name: string; active: boolean };
  disabledReasons: DisabledReasons;
  onEdit: () => void;
  activation: CommandState & { run: (active: boolean) => Promise<unknown> };
  deletion: CommandState & { run: () => Promise<unknown> };
  onActivationChange: (active: boolean) => void;
  onDeleted: () => void;
}

export function UserActions(props: UserActionsProps) {
  const { user, disabledReasons, onEdit, activation, deletion, onActivationChange, onDeleted } = props;
  // The question is stored, because `active` may change while the question is open.
  const [question, setQuestion] = useState<"deactivate" | "activate" | "delete">();
  const close = () => {
    setQuestion(undefined);
    activation.reset();
    deletion.reset();
  };
  const { name, active } = user;
  return (
    <div className={shared.actions}>
      <ReasonedButton
        variant="default"
        leftSection={<IconPencil size={17} aria-hidden />}
        disabledReason={disabledReasons.edit}
        onClick={onEdit}
      >
        {words.edit}
      </ReasonedButton>
      <ReasonedButton
        variant="default"
        leftSection={active ? <IconUserOff size={17} aria-hidden /> : <IconUserCheck size={17} aria-hidden />}
        disabledReason={disabledReasons.activation}
        onClick={() => setQuestion(active ? "deactivate" : "activate")}
      >
        {active ? words.deactivate : words.activate}
      </ReasonedButton>
      <ReasonedButton
        variant="default"
        leftSection={<IconTrash size={17} aria-hidden />}
        disabledReason={disabledReasons.deletion}
        onClick={() => setQuestion("delete")}
      >
        {words.remove}
      </ReasonedButton>
      {question === "delete" ? (
        <ConfirmModal
          title={questions.removeTitle}
          effects={[questions.remove(name)]}
          submitLabel={words.remove}
          danger
          command={deletion}
          run={deletion.run}
          onDone={onDeleted}
          onClose={close}
        />
      ) : (
        question && (
          <ConfirmModal
            title={question === "deactivate" ? questions.deactivateTitle : questions.activateTitle}
            effects={[questions[question](name)]}
            submitLabel={words[question]}
            danger={question === "deactivate"}
            command={activation}
            run={() => activation.run(question === "activate")}
            onDone={() => {
              close();
              onActivationChange(question === "activate");
            }}
            onClose={close}
          />
        )
      )}
    </div>
  );
}
