// The page that the link of a verification e-mail opens. It verifies the address at once.
import { Button, Group } from "@mantine/core";
import { IconLinkOff, IconMailCheck } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { accountCalls, ME } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import { useSession } from "../../api/session";
import { Notice } from "../../components/Notice";
import { PageLoader } from "../../components/PageLoader";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import { SignInLayout } from "./SignInLayout";

const words = sessionsStrings.verify;

export default function VerifyEmailPage() {
  const code = useSearchParams()[0].get("code");
  const { state } = useSession();
  const { run, failure } = useCommand(accountCalls.verifyEmail, {
    refreshes: state === "signed-in" ? [ME] : [],
  });
  const [email, setEmail] = useState<string>();
  const sent = useRef(false);
  useEffect(() => {
    // The code works once, so it must not be sent twice.
    if (!code || sent.current) return;
    sent.current = true;
    run({ path: { verificationCode: code } })
      .then((answer) => setEmail(answer.email))
      .catch(() => undefined);
  }, [code, run]);

  const actions = (
    <Group gap="sm" justify="center">
      <Button component={Link} to={state === "signed-in" ? "/" : "/login"}>
        {state === "signed-in" ? words.home : words.login}
      </Button>
      {failure && state === "signed-in" && (
        <Button component={Link} to="/minha-conta" variant="default">
          {words.account}
        </Button>
      )}
    </Group>
  );
  const failureText = failure?.message ?? (code ? undefined : words.noCode);
  return (
    <SignInLayout title={words.title}>
      {email !== undefined ? (
        <div role="status">
          <Notice icon={IconMailCheck} title={words.done} heading="h2" action={actions}>
            {words.doneHint(email)}
          </Notice>
        </div>
      ) : failureText ? (
        <div role="alert">
          <Notice icon={IconLinkOff} title={words.failed} heading="h2" action={actions}>
            {failureText} {failure && words.retryHint[state === "signed-in" ? "signedIn" : "signedOut"]}
          </Notice>
        </div>
      ) : (
        <PageLoader />
      )}
    </SignInLayout>
  );
}
