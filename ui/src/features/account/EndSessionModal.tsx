// Asks before one session, or all others, are ended.
import * as z from "zod/mini";
import { useCommand } from "../../api/hooks";
import type { OwnSession } from "../../api/models";
import { MY_SESSIONS, ownCalls } from "../../api/ownCalls";
import { useSession } from "../../api/session";
import { FormModal } from "../../components/forms/FormModal";
import { deviceText } from "../../format/device";
import { accountStrings } from "../../strings/pt-BR.account";
import styles from "./Account.module.css";

const words = accountStrings.sessions;
const nothing = z.object({});

interface EndSessionModalProps {
  ending: OwnSession | "others";
  onClose: () => void;
  onDone: (message: string) => void;
}

export function EndSessionModal({ ending, onClose, onDone }: EndSessionModalProps) {
  const { end } = useSession();
  const one = useCommand(ownCalls.endSession, { refreshes: [MY_SESSIONS] });
  const others = useCommand(ownCalls.endOtherSessions, { refreshes: [MY_SESSIONS] });
  const command = ending === "others" ? others : one;
  const submit = async () => {
    const answer = ending === "others" ? others.run({}) : one.run({ path: { id: ending.id } });
    const done = await answer.then(() => true).catch(() => false);
    if (!done) return;
    if (ending !== "others" && ending.current) await end();
    else onDone(ending === "others" ? words.endedOthers : words.ended);
  };
  return (
    <FormModal
      title={ending === "others" ? words.endOthersTitle : words.endTitle}
      schema={nothing}
      initialValues={{}}
      loading={command.running}
      error={command.failure}
      onErrorClose={command.reset}
      onSubmit={submit}
      onClose={onClose}
      submitLabel={words.end}
      danger
    >
      {() => <p className={styles.hint}>{hintOf(ending)}</p>}
    </FormModal>
  );
}

function hintOf(ending: OwnSession | "others"): string {
  if (ending === "others") return words.endOthersHint;
  return ending.current ? words.leaveHint : words.endHint(deviceText(ending.user_agent));
}
