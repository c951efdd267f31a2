// Requests an e-mail with a link that sets a new password. The answer does not reveal whether the address has an
// account.
import { Anchor, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import * as z from "zod/mini";
import { accountCalls } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import { PageForm } from "../../components/forms/PageForm";
import { emailField } from "../../components/forms/personFields";
import { ServerMessage } from "../../components/ServerMessage";
import { personStrings } from "../../strings/pt-BR.person";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import { SignInLayout } from "./SignInLayout";
import styles from "./SignInLayout.module.css";

const words = sessionsStrings.forgot;
const schema = z.object({ email: emailField });
const EMPTY = { email: "" };

export default function ForgotPasswordPage() {
  const forgot = useCommand(accountCalls.forgotPassword, { refreshes: [] });
  const [sent, setSent] = useState<string>();
  const submit = async ({ email }: typeof EMPTY) => {
    setSent(undefined);
    const answer = await forgot.run({ body: { email: email.trim() } }).catch(() => undefined);
    setSent(answer?.message);
    // The form keeps the typed values.
    return false;
  };
  return (
    <SignInLayout title={words.title} hint={words.hint}>
      <ServerMessage message={sent} variant="success" onClose={() => setSent(undefined)} />
      {sent && <p className={styles.note}>{words.again}</p>}
      <PageForm
        label={words.title}
        schema={schema}
        initialValues={EMPTY}
        command={forgot}
        onSubmit={submit}
        submitLabel={words.submit}
        submitProps={{ size: "md", fullWidth: true }}
      >
        {(form) => (
          <TextInput
            label={personStrings.email}
            type="email"
            autoComplete="username"
            size="md"
            autoFocus
            {...form.getInputProps("email")}
          />
        )}
      </PageForm>
      <Anchor component={Link} to="/login" className={styles.aside}>
        {words.back}
      </Anchor>
    </SignInLayout>
  );
}
