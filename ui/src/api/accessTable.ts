// Who may open which screen and make which call, read from the tables in fixtures/access. The gateway's guards and the
// x-roles of the OpenAPI document come from the same files.
import type { PanelName } from "./panel";

/**
 * The roles that a screen or a call is for. "public": also without a session. "*": every signed-in user, even an admin
 * user without a role. An empty list, in the admin panel: only the platform's owner (`allows`).
 */
export type Roles = "public" | "*" | readonly string[];

export interface Screen {
  /** "open" belongs to neither panel: it needs no session, and no guard applies. */
  panel: PanelName | "open";
  roles: Roles;
  route: string;
  title: string;
}

export interface CallAccess {
  /** Who calls it: "seller", "business", "admin" and others. The head of calls.tsv explains them. */
  audience: string;
  roles: Roles;
  /** Method and path: "POST /auth/sign-in". */
  call: string;
}

/** The subject of a rule: the panel, and the current roles of the signed-in user. */
export interface Caller {
  panel: PanelName;
  roles: readonly string[];
}

const STAFF_OWNER = "owner";
const PANELS: readonly string[] = ["seller", "admin", "open"] satisfies Screen["panel"][];

function rowsOf(text: string, columns: readonly string[]): string[][] {
  const [head, ...rows] = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("\t"));
  if (head?.join() !== columns.join()) throw new Error(`columns ${head} instead of ${columns}`);
  const broken = rows.find((row) => row.length !== columns.length);
  if (broken) throw new Error(`a row of ${broken.length} columns: ${broken}`);
  return rows;
}

function rolesOf(text: string): Roles {
  if (text === "public" || text === "*") return text;
  return text === "none" ? [] : text.split(",");
}

export function parseScreens(text: string): readonly Screen[] {
  return rowsOf(text, ["panel", "roles", "route", "title"]).map(
    ([panel = "", roles = "", route = "", title = ""]) => {
      if (!PANELS.includes(panel)) throw new Error(`${route}: there is no panel ${panel}`);
      return { panel: panel as Screen["panel"], roles: rolesOf(roles), route, title };
    },
  );
}

export function parseCalls(text: string): readonly CallAccess[] {
  return rowsOf(text, ["audience", "roles", "method", "path"]).map(
    ([audience = "", roles = "", method = "", path = ""]) => ({
      audience,
      // "-": the call has no user whose role could be checked.
      roles: roles === "-" ? "public" : rolesOf(roles),
      call: `${method} ${path}`,
    }),
  );
}

/** The platform's owner passes every check of the admin panel. In the seller panel, "owner" is a role like others. */
export function allows(roles: Roles, caller: Caller): boolean {
  if (typeof roles === "string") return true;
  if (caller.panel === "admin" && caller.roles.includes(STAFF_OWNER)) return true;
  return roles.some((role) => caller.roles.includes(role));
}

export function screenOf(screens: readonly Screen[], panel: Screen["panel"], route: string): Screen {
  const found = screens.find((screen) => screen.panel === panel && screen.route === route);
  if (!found) throw new Error(`screens.tsv has no ${route} of the panel ${panel}`);
  return found;
}

/** A path parameter may have another name in the OpenAPI document. */
const unnamed = (call: string) => call.replace(/\{[^}]+\}/g, "{}");

export function callAccess(calls: readonly CallAccess[], call: string): CallAccess {
  const found = calls.find((each) => unnamed(each.call) === unnamed(call));
  if (!found) throw new Error(`calls.tsv has no ${call}`);
  return found;
}
