// Ends the session and forgets all reads. The guard then opens the login page.
import { useEffect, useRef } from "react";
import { accountCalls } from "../../api/accountCalls";
import { useCommand } from "../../api/hooks";
import { useSession } from "../../api/session";
import { PageLoader } from "../../components/PageLoader";

export default function LogoutPage() {
  const { end } = useSession();
  const { run } = useCommand(accountCalls.signOut, { refreshes: [] });
  const sent = useRef(false);
  useEffect(() => {
    if (sent.current) return;
    sent.current = true;
    // Even without an answer, this browser must stop showing the panel.
    run({})
      .catch(() => undefined)
      .finally(() => void end());
  }, [run, end]);
  return <PageLoader />;
}
