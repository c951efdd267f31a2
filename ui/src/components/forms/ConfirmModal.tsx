// Asks before an action, and states its effects.
import * as z from "zod/mini";
import { succeeds } from "../../api/failure";
import styles from "./ConfirmModal.module.css";
import { FormModal } from "./FormModal";
import type { FormCommand } from "./useValidatedForm";

const NOTHING = z.object({});

interface ConfirmModalProps {
  title: string;
  /** Each is a paragraph. */
  effects: readonly string[];
  submitLabel: string;
  danger?: boolean;
  command: FormCommand;
  /** Performs the action; rejects if it is refused. */
  run: () => Promise<unknown>;
  onDone: () => void;
  onClose: () => void;
}

export function ConfirmModal(props: ConfirmModalProps) {
  const { title, effects, submitLabel, danger = false, command, run, onDone, onClose } = props;
  const submit = async () => {
    const done = await succeeds(run());
    if (done) onDone();
  };
  return (
    <FormModal
      title={title}
      schema={NOTHING}
      initialValues={{}}
      command={command}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={submitLabel}
      danger={danger}
    >
      {() =>
        effects.map((effect) => (
          <p key={effect} className={styles.effect}>
            {effect}
          </p>
        ))
      }
    </FormModal>
  );
}
