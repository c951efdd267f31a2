// Ends the session and forgets what was read. The guard then leads to the login page.
import { useEffect, useRef } from "react";
import { useCommand } from "../../api/hooks";
import { ownCalls } from "../../api/ownCalls";
import { useSession } from "../../api/session";
import { Waiting } from "../../components/Waiting";

export default function LogoutPage() {
  const { end } = useSession();
  const { run } = useCommand(ownCalls.signOut, { refreshes: [] });
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    // Without an answer the person still wants out of this browser's view.
    run({})
      .catch(() => undefined)
      .finally(() => void end());
  }, [run, end]);
  return <Waiting />;
}
