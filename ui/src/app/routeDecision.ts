// Decides what an address shows: the page, a spinner, a reload, or a redirect. It uses neither React nor the network,
// so that tests can check every screen and role.
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
  /** Another user set the password. */
  passwordProvisional: boolean;
  pathname: string;
  /** The query string, with its question mark. */
  search: string;
  /** Scheme and host of the panel. */
  origin: string;
}

/** Screens that redirect a signed-in user. */
const NEW_PASSWORD = "/resetar-senha";
const SIGN_IN_SCREENS: readonly string[] = [LOGIN, "/esqueci-minha-senha", NEW_PASSWORD];

export function decide(screen: Pick<Screen, "panel" | "roles" | "route">, visit: Visit): Decision {
  if (screen.panel === "open") return "open";
  if (visit.state === "loading") return "wait";
  if (visit.state === "unavailable") return "reload";
  if (screen.roles === "public") {
    // A user with a provisional password opens the link of the e-mail in the same browser.
    const setsOwn = visit.passwordProvisional && screen.route === NEW_PASSWORD;
    const redirects = visit.state === "signed-in" && SIGN_IN_SCREENS.includes(screen.route) && !setsOwn;
    return redirects ? { redirectTo: returnAddress(visit.search, visit.origin) } : "open";
  }
  if (visit.state === "signed-out") {
    return {
      redirectTo: screen.route === LOGOUT ? LOGIN : loginAddress(LOGIN, visit.pathname + visit.search),
    };
  }
  return allows(screen.roles, visit) ? "open" : { redirectTo: UNAUTHORIZED };
}
