// The answer to a request that needs a second person: the requester can withdraw it, another person approves or rejects
// it. A rejection needs a reason.
import { Button, Group } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { fieldTextsOrMessage } from "../api/failure";
import type { CallName, Command } from "../api/hooks";
import { useSession } from "../api/session";
import { personStrings } from "../strings/pt-BR.person";
import { ReasonField } from "./forms/ReasonField";
import { Instant } from "./Instant";
import { ServerMessage } from "./ServerMessage";

export type Answer = "approve" | "reject" | "withdraw";
type AnswerCommand = Pick<Command<CallName>, "running" | "failure" | "reset">;

interface TwoPersonAnswerProps<Done> {
  requester: { id: string } | null;
  commands: Record<Answer, AnswerCommand>;
  /** Sends an answer; only a withdrawal has no reason. */
  send: (answer: Answer, body: { reason?: string }) => Promise<Done>;
  onDone: (done: Done, answer: Answer) => void;
  /** What the requester reads. */
  own: ReactNode;
  /** What the second person reads. */
  effect?: ReactNode;
  reasonCharsMax: number;
  words: Record<Answer | "reasonField" | "reasonHint" | "reasonMissing", string>;
}

export function TwoPersonAnswer<Done>(props: TwoPersonAnswerProps<Done>) {
  const { requester, commands, send, onDone, words } = props;
  const { user } = useSession();
  const [reason, setReason] = useState("");
  const [missing, setMissing] = useState(false);
  const all = Object.values(commands);
  const failed = all.find(({ failure }) => failure);
  const running = all.some((command) => command.running);
  const given = reason.trim();
  const answer = async (chosen: Answer) => {
    for (const command of all) command.reset();
    const done = await send(chosen, given ? { reason: given } : {}).catch(() => undefined);
    if (done) onDone(done, chosen);
  };
  return (
    <>
      <ServerMessage
        message={failed?.failure && fieldTextsOrMessage(failed.failure)}
        code={failed?.failure?.code}
        onClose={() => failed?.reset()}
      />
      {user?.id === requester?.id ? (
        <>
          {props.own}
          <Group justify="flex-end">
            <Button
              variant="default"
              loading={commands.withdraw.running}
              onClick={() => void answer("withdraw")}
            >
              {words.withdraw}
            </Button>
          </Group>
        </>
      ) : (
        <>
          {props.effect}
          <ReasonField
            label={words.reasonField}
            description={words.reasonHint}
            maxLength={props.reasonCharsMax}
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value);
              setMissing(false);
            }}
            error={missing && words.reasonMissing}
            disabled={running}
          />
          <Group justify="flex-end" gap="sm">
            <Button
              variant="default"
              loading={commands.reject.running}
              disabled={running}
              onClick={() => (given ? void answer("reject") : setMissing(true))}
            >
              {words.reject}
            </Button>
            <Button
              loading={commands.approve.running}
              disabled={running}
              onClick={() => void answer("approve")}
            >
              {words.approve}
            </Button>
          </Group>
        </>
      )}
    </>
  );
}

/** Who did something, and when. */
export function ByAndAt({ name, at }: { name: string | null; at: string }) {
  return (
    <>
      {name ?? personStrings.someone} · <Instant at={at} />
    </>
  );
}
