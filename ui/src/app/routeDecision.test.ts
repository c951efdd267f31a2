// The route guard for every screen of the access table: signed out, and with each role.
import { describe, expect, it } from "vitest";
import type { Screen } from "../api/accessTable";
import type { PanelName } from "../api/panel";
import { screens } from "../api/tables";
import { decide, type Visit } from "./routeDecision";

const ROLES: Record<PanelName, readonly string[]> = {
  seller: ["owner", "admin", "operator"],
  admin: ["owner", "admin", "financial", "commercial", "commercial-supervisor", "sac", "operator"],
};
const SIGN_IN_SCREENS = ["/login", "/esqueci-minha-senha", "/resetar-senha"];

const at = ({ route }: Screen, panel: PanelName, more: Partial<Visit>): Visit => ({
  panel,
  state: "signed-in",
  roles: [],
  passwordProvisional: false,
  pathname: route.replace(":id", "abc"),
  search: "",
  origin: "https://painel.example",
  ...more,
});

const ofPanels = screens.flatMap((screen) => {
  const { panel } = screen;
  return panel === "open" ? [] : [{ screen, panel, name: `${panel} ${screen.route}` }];
});
const visited = (accepts: (screen: Screen) => boolean) => ofPanels.filter(({ screen }) => accepts(screen));

describe("screens of neither panel", () => {
  const open = screens.filter(({ panel }) => panel === "open");
  it("include payment links", () => expect(open.map(({ route }) => route)).toContain("/pl/:id"));

  it.each(open)("$route opens with any session", (screen) => {
    for (const panel of ["seller", "admin"] as const)
      for (const state of ["loading", "unavailable", "signed-out", "signed-in"] as const)
        expect(decide(screen, at(screen, panel, { state }))).toBe("open");
  });
});

it.each(ofPanels)("$name waits for the session, and reloads if it is unavailable", ({ screen, panel }) => {
  expect(decide(screen, at(screen, panel, { state: "loading" }))).toBe("wait");
  expect(decide(screen, at(screen, panel, { state: "unavailable" }))).toBe("reload");
});

const publicScreens = visited(({ roles }) => roles === "public");

it.each(publicScreens)("$name opens without a session; sign-in screens redirect signed-in users", (row) => {
  expect(decide(row.screen, at(row.screen, row.panel, { state: "signed-out" }))).toBe("open");
  const signInScreen = SIGN_IN_SCREENS.includes(row.screen.route);
  for (const role of ROLES[row.panel]) {
    const decision = decide(row.screen, at(row.screen, row.panel, { roles: [role] }));
    expect(decision, role).toEqual(signInScreen ? { redirectTo: "/" } : "open");
  }
});

it("a signed-in user with a provisional password opens the link for a new one", () => {
  for (const row of publicScreens) {
    const decision = decide(row.screen, at(row.screen, row.panel, { passwordProvisional: true }));
    const redirects = ["/login", "/esqueci-minha-senha"].includes(row.screen.route);
    expect(decision, row.name).toEqual(redirects ? { redirectTo: "/" } : "open");
  }
});

const closed = visited(({ roles }) => roles !== "public");

it.each(closed)(
  "$name sends a signed-out visitor to login, which remembers it unless it is /logout",
  ({ screen, panel }) => {
    const visit = at(screen, panel, { state: "signed-out", search: "?page=2" });
    const remembers = screen.route !== "/logout";
    expect(decide(screen, visit)).toEqual({
      redirectTo: remembers ? `/login?from=${encodeURIComponent(`${visit.pathname}?page=2`)}` : "/login",
    });
  },
);

it.each(closed)("$name opens only for its roles and the platform's owner", ({ screen, panel }) => {
  for (const role of ROLES[panel]) {
    const listed = screen.roles === "*" || screen.roles.includes(role);
    const passes = listed || (panel === "admin" && role === "owner");
    const decision = decide(screen, at(screen, panel, { roles: [role] }));
    expect(decision, role).toEqual(passes ? "open" : { redirectTo: "/unauthorized" });
  }
});

it("returns to the requested page after sign-in", () => {
  const login = screens.find(({ panel, route }) => panel === "seller" && route === "/login");
  if (!login) throw new Error("no login");
  const search = `?from=${encodeURIComponent("/vendas?status=paid")}`;
  expect(decide(login, at(login, "seller", { search }))).toEqual({ redirectTo: "/vendas?status=paid" });
});

it("lets the platform's owner pass every check, but not a company's owner", () => {
  const forAdmins = { panel: "seller", route: "/x", roles: ["admin"] } as const;
  const visit = at({ ...forAdmins, title: "" }, "seller", { roles: ["owner"] });
  expect(decide(forAdmins, visit)).toEqual({ redirectTo: "/unauthorized" });
  expect(decide({ ...forAdmins, panel: "admin" }, { ...visit, panel: "admin" })).toBe("open");
});
