// Sets a new password with the link of an e-mail. The link works once. The referrer policy keeps its token from other
// sites.
import { Anchor } from "@mantine/core";
import { IconLinkOff } from "@tabler/icons-react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { accountCalls } from "../../api/accountCalls";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { PageForm } from "../../components/forms/PageForm";
import { PasswordField } from "../../components/forms/PasswordField";
import { passwordPair } from "../../components/forms/personFields";
import { Notice } from "../../components/Notice";
import { personStrings } from "../../strings/pt-BR.person";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import { SignInLayout } from "./SignInLayout";
import styles from "./SignInLayout.module.css";

const words = sessionsStrings.reset;
const EMPTY = { password: "", repeated: "" };

export default function ResetPasswordPage() {
  const [search] = useSearchParams();
  const token = search.get("token");
  return (
    <SignInLayout title={words.title} hint={token && words.hint}>
      {token ? (
        <NewPassword token={token} />
      ) : (
        <Notice icon={IconLinkOff} title={words.noToken} heading="h2" />
      )}
      <Anchor component={Link} to="/esqueci-minha-senha" className={styles.aside}>
        {words.askAgain}
      </Anchor>
    </SignInLayout>
  );
}

function NewPassword({ token }: { token: string }) {
  const reset = useCommand(accountCalls.resetPassword, { refreshes: [] });
  const navigate = useNavigate();
  const submit = async ({ password }: typeof EMPTY) => {
    const done = await succeeds(reset.run({ body: { token, password } }));
    if (done) navigate("/login", { replace: true, state: { flash: words.done } });
    // The form keeps the typed values.
    return false;
  };
  const field = { size: "md", autoComplete: "new-password" } as const;
  return (
    <PageForm
      label={words.title}
      schema={passwordPair}
      initialValues={EMPTY}
      // The form has no field for the token, so the alert shows why a link is refused.
      command={reset}
      onSubmit={submit}
      submitLabel={words.submit}
      submitProps={{ size: "md", fullWidth: true }}
    >
      {(form) => (
        <>
          <PasswordField
            label={words.password}
            description={personStrings.passwordHint}
            autoFocus
            {...field}
            {...form.getInputProps("password")}
          />
          <PasswordField label={words.repeat} {...field} {...form.getInputProps("repeated")} />
        </>
      )}
    </PageForm>
  );
}
