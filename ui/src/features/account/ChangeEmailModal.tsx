// Changes the e-mail to sign in with. The new address gets a link and is used once it is verified.
import { TextInput } from "@mantine/core";
import * as z from "zod/mini";
import { accountCalls, ME } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import { FormModal } from "../../components/forms/FormModal";
import { PasswordField } from "../../components/forms/PasswordField";
import { emailField, passwordField } from "../../components/forms/personFields";
import { accountStrings } from "../../strings/pt-BR.account";
import styles from "./Account.module.css";

const words = accountStrings.account;
const schema = z.object({ email: emailField, password: passwordField });
const EMPTY = { email: "", password: "" };

interface ChangeEmailModalProps {
  onClose: () => void;
  onDone: (message: string) => void;
}

export default function ChangeEmailModal({ onClose, onDone }: ChangeEmailModalProps) {
  const change = useCommand(accountCalls.changeEmail, { refreshes: [ME] });
  const submit = async ({ email, password }: typeof EMPTY) => {
    const answer = await change.run({ body: { email: email.trim(), password } }).catch(() => undefined);
    if (answer) onDone(answer.message);
  };
  return (
    <FormModal
      title={words.changeEmail}
      schema={schema}
      initialValues={EMPTY}
      command={change}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.sendLink}
    >
      {(form) => (
        <>
          <p className={styles.hint}>{words.changeEmailHint}</p>
          <TextInput
            label={words.newEmail}
            type="email"
            autoComplete="email"
            data-autofocus
            {...form.getInputProps("email")}
          />
          <PasswordField
            label={words.yourPassword}
            autoComplete="current-password"
            {...form.getInputProps("password")}
          />
        </>
      )}
    </FormModal>
  );
}
