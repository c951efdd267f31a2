// Changes the password. The current password is required.
import * as z from "zod/mini";
import { accountCalls, MY_SESSIONS } from "../../api/accountCalls";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { PageForm } from "../../components/forms/PageForm";
import { PasswordField } from "../../components/forms/PasswordField";
import { newPasswordField, passwordField, repeats } from "../../components/forms/personFields";
import { Panel } from "../../components/Panel";
import { accountStrings } from "../../strings/pt-BR.account";
import { personStrings } from "../../strings/pt-BR.person";

const words = accountStrings.account;
const EMPTY = { current_password: "", new_password: "", repeated: "" };
const schema = z
  .object({ current_password: passwordField, new_password: newPasswordField, repeated: z.string() })
  .check(repeats("new_password"));

interface PasswordPanelProps {
  /** Tells password managers whose password it is. */
  email: string;
  onDone: (message: string) => void;
}

export function PasswordPanel({ email, onDone }: PasswordPanelProps) {
  const change = useCommand(accountCalls.changePassword, { refreshes: [MY_SESSIONS] });
  const submit = async ({ current_password, new_password }: typeof EMPTY) => {
    const done = await succeeds(change.run({ body: { current_password, new_password } }));
    if (done) onDone(words.passwordChanged);
    return done;
  };
  return (
    <Panel title={words.passwordTitle} hint={words.passwordNote}>
      <PageForm
        label={words.passwordTitle}
        schema={schema}
        initialValues={EMPTY}
        command={change}
        onSubmit={submit}
        submitLabel={words.changePassword}
      >
        {(form) => (
          <>
            <input type="email" autoComplete="username" value={email} readOnly hidden />
            <PasswordField
              label={words.currentPassword}
              autoComplete="current-password"
              {...form.getInputProps("current_password")}
            />
            <PasswordField
              label={words.newPassword}
              description={personStrings.passwordHint}
              autoComplete="new-password"
              {...form.getInputProps("new_password")}
            />
            <PasswordField
              label={words.repeatPassword}
              autoComplete="new-password"
              {...form.getInputProps("repeated")}
            />
          </>
        )}
      </PageForm>
    </Panel>
  );
}
