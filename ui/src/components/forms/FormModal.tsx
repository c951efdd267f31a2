// A form in a modal. Its schema validates it before it is sent, and the gateway afterwards. Closing it asks first if
// something was typed.
import { Button, Group, Modal } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { $ZodType } from "zod/v4/core";
import { strings } from "../../strings/pt-BR";
import { type MessageVariant, ServerMessage } from "../ServerMessage";
import styles from "./FormModal.module.css";
import { useReturnFocus } from "./useReturnFocus";
import { type AnyValues, type Form, type FormCommand, useValidatedForm } from "./useValidatedForm";

interface FormModalProps<Values extends AnyValues> {
  title: string;
  schema: $ZodType;
  initialValues: Values;
  command: FormCommand;
  /** Called after each change of a value. */
  onValuesChange?: () => void;
  onSubmit: (values: Values) => unknown;
  onClose: () => void;
  /** If false, the modal has no cross, and neither Escape nor a click outside closes it. */
  dismissible?: boolean;
  submitLabel?: string;
  /** Replaces the text 'Cancelar', for a form whose action has that name. */
  leaveLabel?: string;
  /** Given on a later step of the form: a button that returns to the previous step replaces 'Cancelar'. */
  onBack?: (() => void) | undefined;
  submitDisabled?: boolean;
  /** Whether the button of the action is red. */
  danger?: boolean;
  messageVariant?: MessageVariant;
  messagePosition?: "top" | "bottom";
  size?: string;
  /** The result of the action. It is shown in place of the form. */
  outcome?: ReactNode;
  children: (form: Form<Values>) => ReactNode;
}

export function FormModal<Values extends AnyValues>(props: FormModalProps<Values>) {
  const { onClose, dismissible = true } = props;
  const { running: loading, failure: error, reset } = props.command;
  const [leaving, setLeaving] = useState(false);
  useReturnFocus();
  const { form, formRef, onSubmit, message, code } = useValidatedForm({ ...props, error });

  const leave = () => {
    if (loading) return;
    if (form.isDirty() && !props.outcome) setLeaving(true);
    else onClose();
  };
  const atFoot = props.messagePosition === "bottom";
  const serverMessage = (
    <ServerMessage message={message} code={code} onClose={reset} variant={props.messageVariant} />
  );
  const fields = (
    <form
      ref={formRef}
      className={styles.form}
      onSubmit={onSubmit((values) => void props.onSubmit(values))}
      noValidate
    >
      {!atFoot && serverMessage}
      <fieldset className={styles.fields} disabled={loading}>
        {props.children(form)}
      </fieldset>
      <div className={styles.foot}>
        {atFoot && serverMessage}
        {leaving ? (
          <LeaveQuestion onStay={() => setLeaving(false)} onLeave={onClose} />
        ) : (
          <Buttons {...props} loading={loading} onLeave={props.onBack ?? leave} />
        )}
      </div>
    </form>
  );
  return (
    <Modal
      opened
      onClose={leave}
      title={props.title}
      centered
      size={props.size ?? "md"}
      withCloseButton={dismissible}
      closeOnEscape={dismissible}
      closeOnClickOutside={dismissible}
      closeButtonProps={{ "aria-label": strings.buttons.close }}
      classNames={{ content: styles.content, header: styles.header, body: styles.body }}
    >
      {props.outcome ? <div className={styles.outcome}>{props.outcome}</div> : fields}
    </Modal>
  );
}

type ButtonsProps = Pick<
  FormModalProps<AnyValues>,
  "danger" | "submitLabel" | "leaveLabel" | "submitDisabled" | "onBack"
> & { loading: boolean; onLeave: () => void };

function Buttons({
  loading,
  danger,
  submitLabel,
  leaveLabel,
  submitDisabled,
  onBack,
  onLeave,
}: ButtonsProps) {
  return (
    <Group gap="sm" justify="flex-end">
      <Button variant="default" onClick={onLeave} disabled={loading}>
        {onBack ? strings.buttons.back : (leaveLabel ?? strings.buttons.cancel)}
      </Button>
      <Button
        type="submit"
        loading={loading}
        disabled={submitDisabled}
        className={danger ? styles.danger : undefined}
      >
        {submitLabel ?? strings.buttons.confirm}
      </Button>
    </Group>
  );
}

function LeaveQuestion({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  return (
    <div
      ref={(question) => question?.scrollIntoView({ block: "nearest" })}
      role="alertdialog"
      aria-label={strings.form.leaveTitle}
      className={styles.leave}
    >
      <p>{strings.form.leaveTitle}</p>
      <Group gap="sm" justify="flex-end">
        <Button variant="default" onClick={onLeave}>
          {strings.form.leave}
        </Button>
        <Button onClick={onStay} autoFocus>
          {strings.form.stay}
        </Button>
      </Group>
    </div>
  );
}
