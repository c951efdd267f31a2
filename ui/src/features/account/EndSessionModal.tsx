// Confirms the end of one of the user's own sessions, or of all but the current one.
import { accountCalls, MY_SESSIONS } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import type { OwnSession } from "../../api/models";
import { useSession } from "../../api/session";
import { ConfirmModal } from "../../components/forms/ConfirmModal";
import { deviceText } from "../../format/device";
import { accountStrings } from "../../strings/pt-BR.account";

const words = accountStrings.sessions;

interface EndSessionModalProps {
  /** The session to end, or "others": all but the current one. */
  ending: OwnSession | "others";
  onClose: () => void;
  onDone: (message: string) => void;
}

export function EndSessionModal({ ending, onClose, onDone }: EndSessionModalProps) {
  const { end } = useSession();
  const one = useCommand(accountCalls.endSession, { refreshes: [MY_SESSIONS] });
  const others = useCommand(accountCalls.endOtherSessions, { refreshes: [MY_SESSIONS] });
  const run = () => (ending === "others" ? others.run({}) : one.run({ path: { id: ending.id } }));
  const finish = () => {
    // The gateway has ended this browser's own session, so the panel returns to the sign-in page.
    if (ending !== "others" && ending.current) void end();
    else onDone(ending === "others" ? words.endedOthers : words.ended);
  };
  return (
    <ConfirmModal
      title={ending === "others" ? words.endOthersTitle : words.endTitle}
      effects={[effectOf(ending)]}
      submitLabel={words.end}
      danger
      command={ending === "others" ? others : one}
      run={run}
      onDone={finish}
      onClose={onClose}
    />
  );
}

function effectOf(ending: OwnSession | "others"): string {
  if (ending === "others") return words.endOthersHint;
  return ending.current ? words.leaveHint : words.endHint(deviceText(ending.user_agent));
}
