// Decides what an address shows: the page, a spinner, or a redirect. It uses neither React nor the network.
import { allows, type Screen } from "../api/accessTable";
import type { PanelName } from "../api/panel";
import type { Session } from "../api/session";
import { LOGIN, LOGOUT, UNAUTHORIZED } from "./addresses";
import { loginFrom, safeOrigin } from "./origin";

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
const ENTRANCES: readonly string[] = [LOGIN, "/esqueci-minha-senha", "/resetar-senha"];

export function decide(screen: Pick<Screen, "panel" | "roles" | "route">, visit: Visit): Decision {
  if (screen.panel === "open") return "open";
  if (visit.state === "loading") return "wait";
  if (visit.state === "unavailable") return "reload";
  if (screen.roles === "public") {
    const entering = visit.state === "in" && ENTRANCES.includes(screen.route);
    return entering ? { redirectTo: safeOrigin(visit.search, visit.origin) } : "open";
  }
  if (visit.state === "out") {
    return {
      redirectTo: screen.route === LOGOUT ? LOGIN : loginFrom(LOGIN, visit.pathname + visit.search),
    };
  }
  return allows(screen.roles, visit) ? "open" : { redirectTo: UNAUTHORIZED };
}
