// The page that the links about an e-mail address open. A link that confirms an address does so at once. A link by which
// the old address decides about a new one asks first, because mail programs open links on their own.
import { Button, Group } from "@mantine/core";
import { IconLinkOff, IconMailCheck, IconMailX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { accountCalls, ME } from "../../api/accountCalls";
import type { Failure } from "../../api/failure";
import { succeeds } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import type { ConfirmedEmail } from "../../api/models";
import { useSession, useTimeZone } from "../../api/session";
import { Notice } from "../../components/Notice";
import { PageLoader } from "../../components/PageLoader";
import { instant } from "../../format/dates";
import { sessionsStrings } from "../../strings/pt-BR.sessions";
import { SignInLayout } from "./SignInLayout";

const words = sessionsStrings.verify;

export default function VerifyEmailPage() {
  const [search] = useSearchParams();
  const approval = search.get("approval");
  return (
    <SignInLayout title={approval ? words.decide : words.title}>
      {approval ? <Decision code={approval} /> : <Confirmation code={search.get("code")} />}
    </SignInLayout>
  );
}

/** Reads the user again afterwards, if one is signed in. */
function useRefreshes() {
  return { refreshes: useSession().state === "signed-in" ? ([ME] as const) : [] };
}

function Confirmation({ code }: { code: string | null }) {
  const { run, failure } = useCommand(accountCalls.verifyEmail, useRefreshes());
  const [confirmed, setConfirmed] = useState<ConfirmedEmail>();
  const sent = useRef(false);
  useEffect(() => {
    // The code works once, so it must not be sent twice.
    if (!code || sent.current) return;
    sent.current = true;
    run({ path: { verificationCode: code } })
      .then(setConfirmed)
      .catch(() => undefined);
  }, [code, run]);
  if (confirmed) return <Confirmed answer={confirmed} />;
  if (failure || !code) return <Failed failure={failure} />;
  return <PageLoader />;
}

function Decision({ code }: { code: string }) {
  const approving = useCommand(accountCalls.verifyEmail, useRefreshes());
  const refusing = useCommand(accountCalls.refuseEmail, useRefreshes());
  const [approved, setApproved] = useState<ConfirmedEmail>();
  const [refused, setRefused] = useState(false);
  const path = { verificationCode: code };
  const approve = () =>
    approving
      .run({ path })
      .then(setApproved)
      .catch(() => undefined);
  const refuse = async () => setRefused(await succeeds(refusing.run({ path })));
  const failure = approving.failure ?? refusing.failure;
  if (approved) return <Confirmed answer={approved} />;
  if (refused)
    return (
      <div role="status">
        <Notice
          icon={IconMailX}
          title={words.refused}
          heading="h2"
          action={
            <Button component={Link} to="/esqueci-minha-senha">
              {words.newPassword}
            </Button>
          }
        >
          {words.refusedHint}
        </Notice>
      </div>
    );
  if (failure) return <Failed failure={failure} />;
  return (
    <Notice
      icon={IconMailCheck}
      title={words.decide}
      heading="h2"
      action={
        <Group gap="sm" justify="center">
          <Button loading={approving.running} disabled={refusing.running} onClick={() => void approve()}>
            {words.approve}
          </Button>
          <Button
            variant="default"
            loading={refusing.running}
            disabled={approving.running}
            onClick={() => void refuse()}
          >
            {words.refuse}
          </Button>
        </Group>
      }
    >
      {words.decideHint}
    </Notice>
  );
}

function Confirmed({ answer: { email, is_effective, takes_effect_at } }: { answer: ConfirmedEmail }) {
  const zone = useTimeZone();
  const text = is_effective
    ? words.doneHint(email)
    : takes_effect_at
      ? words.waits(email, instant(takes_effect_at, zone))
      : words.waitsForNew(email);
  return (
    <div role="status">
      <Notice icon={IconMailCheck} title={words.done} heading="h2" action={<Actions failed={false} />}>
        {text}
      </Notice>
    </div>
  );
}

function Failed({ failure }: { failure: Failure | undefined }) {
  const { state } = useSession();
  return (
    <div role="alert">
      <Notice icon={IconLinkOff} title={words.failed} heading="h2" action={<Actions failed={!!failure} />}>
        {failure?.message ?? words.noCode}{" "}
        {failure && words.retryHint[state === "signed-in" ? "signedIn" : "signedOut"]}
      </Notice>
    </div>
  );
}

function Actions({ failed }: { failed: boolean }) {
  const { state } = useSession();
  return (
    <Group gap="sm" justify="center">
      <Button component={Link} to={state === "signed-in" ? "/" : "/login"}>
        {state === "signed-in" ? words.home : words.login}
      </Button>
      {failed && state === "signed-in" && (
        <Button component={Link} to="/minha-conta" variant="default">
          {words.account}
        </Button>
      )}
    </Group>
  );
}
