// The note below a blocked balance: why, and for sellers a link to what the platform holds.
import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { useMayOpen } from "../api/access";
import { panel } from "../api/panel";
import { type Blocked, blockedText } from "../format/blocked";
import { statusStrings } from "../strings/pt-BR.status";

export function BlockedNote({ balance }: { balance: Blocked | null | undefined }) {
  const isLinked = panel === "seller" && (balance?.held_by_staff ?? 0) > 0;
  return (
    <>
      {blockedText(balance)}
      {isLinked && <HoldsLink />}
    </>
  );
}

/** Only the panel of sellers has the screen. */
function HoldsLink() {
  if (!useMayOpen("/financeiro/valores-retidos")) return null;
  return (
    <>
      .{" "}
      <Anchor
        component={Link}
        to="/financeiro/valores-retidos"
        inherit
        underline="always"
        display="inline-block"
      >
        {statusStrings.blocked.see}
      </Anchor>
    </>
  );
}
