// The login page of the host's panel. The guard decides where a signed-in user goes next.
import { Anchor, TextInput } from "@mantine/core";
import { useState } from "react";
import { Link, useLocation } from "react-router";
import * as z from "zod/mini";
import { accountCalls } from "../../api/accountCalls";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { panel } from "../../api/panel";
import { useSession } from "../../api/session";
import { PageForm } from "../../components/forms/PageForm";
import { PasswordField } from "../../components/forms/PasswordField";
import { emailField, passwordField } from "../../components/forms/personFields";
import { ServerMessage } from "../../components/ServerMessage";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import { SignInLayout } from "./SignInLayout";
import styles from "./SignInLayout.module.css";

const words = sessionsStrings.login;
const staff = panel === "admin";
const schema = z.object({ email: emailField, password: passwordField });
const EMPTY = { email: "", password: "" };

export default function LoginPage() {
  const { begin } = useSession();
  const signIn = useCommand(accountCalls.signIn, { refreshes: [] });
  const { state } = useLocation();
  const [flash, setFlash] = useState<string | undefined>(() => (state as { flash?: string } | null)?.flash);

  const submit = async ({ email, password }: typeof EMPTY) => {
    const done = await succeeds(signIn.run({ body: { email: email.trim(), password } }));
    if (done) await begin();
    // The form keeps the typed values.
    return false;
  };
  return (
    <SignInLayout
      title={staff ? words.staff : words.seller}
      hint={staff ? words.staffHint : words.sellerHint}
    >
      <ServerMessage message={flash} variant="success" onClose={() => setFlash(undefined)} />
      <PageForm
        label={words.title}
        schema={schema}
        initialValues={EMPTY}
        command={signIn}
        onSubmit={submit}
        submitLabel={words.submit}
        submitProps={{ size: "md", fullWidth: true }}
      >
        {(form) => (
          <>
            <TextInput
              label={words.email}
              type="email"
              autoComplete="username"
              size="md"
              autoFocus
              {...form.getInputProps("email")}
            />
            <PasswordField
              label={words.password}
              autoComplete="current-password"
              size="md"
              {...form.getInputProps("password")}
            />
          </>
        )}
      </PageForm>
      <Anchor component={Link} to="/esqueci-minha-senha" className={styles.aside}>
        {words.forgot}
      </Anchor>
    </SignInLayout>
  );
}
