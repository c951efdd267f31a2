// Decides what an address shows: the page, a spinner, or a redirect. It uses neither React nor the network.
import { allows, type Screen } from "../api/accessTable";
import type { PanelName } from "../api/panel";
import type { Session } from "../api/session";
import { LOGIN, LOGOUT, UNAUTHORIZED } from "./addresses";
import { loginAddress, returnAddress } from "./returnAddress";

export type Decision = "open" | "wait" | "reload" | { redirectTo: string };

export interface Visit {
  panel: PanelName;
  state: Session["state"];
  roles: readonly string[];
  /** The current path and site. */
  pathname: string;
  search: string;
  origin: string;
}

/** Login pages redirect a signed-in user. */
const SIGN_IN_SCREENS: readonly string[] = [LOGIN, "/esqueci-minha-senha", "/resetar-senha"];

export function decide(screen: Pick<Screen, "panel" | "roles" | "route">, visit: Visit): Decision {
  if (screen.panel === "open") return "open";
  if (visit.state === "loading") return "wait";
  if (visit.state === "unavailable") return "reload";
  if (screen.roles === "public") {
    const redirects = visit.state === "signed-in" && SIGN_IN_SCREENS.includes(screen.route);
    return redirects ? { redirectTo: returnAddress(visit.search, visit.origin) } : "open";
  }
  if (visit.state === "signed-out") {
    return {
      redirectTo: screen.route === LOGOUT ? LOGIN : loginAddress(LOGIN, visit.pathname + visit.search),
    };
  }
  return allows(screen.roles, visit) ? "open" : { redirectTo: UNAUTHORIZED };
}
