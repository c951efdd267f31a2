// Ends the session and forgets all reads. The guard then opens the login page.
import { useEffect, useRef } from "react";
import { useCommand } from "../../api/hooks";
import { ownCalls } from "../../api/ownCalls";
import { useSession } from "../../api/session";
import { Waiting } from "../../components/Waiting";

export default function LogoutPage() {
  const { end } = useSession();
  const { run } = useCommand(ownCalls.signOut, { refreshes: [] });
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    // Even without an answer, this browser must stop showing the panel.
    run({})
      .catch(() => undefined)
      .finally(() => void end());
  }, [run, end]);
  return <Waiting />;
}
