// The screens that the signed-in user may open and the calls that the user may make. The gateway checks every call
// again.
import { createContext, type ReactNode, use } from "react";
import { allows, callAccess, screenAt, screenOf } from "./accessTable";
import type { CallName } from "./hooks";
import { panel } from "./panel";
import { useSession } from "./session";
import { calls, screens } from "./tables";

const ServedContext = createContext<ReadonlySet<string>>(new Set());

/** Provides the routes that have a page. Only the app knows them, and src/api does not import the app. */
export function ServedScreens({ routes, children }: { routes: ReadonlySet<string>; children: ReactNode }) {
  return <ServedContext value={routes}>{children}</ServedContext>;
}

/** Builds the check whether a screen of this panel has a page that the user may open, by its route in the table. */
export function useOpenable(): (route: string) => boolean {
  const served = use(ServedContext);
  const roles = useSession().user?.roles ?? [];
  return (route) => {
    const screen = screenOf(screens, panel, route);
    return served.has(route) && allows(screen.roles, { panel, roles });
  };
}

/** Whether `route`, as written in the table ("/vendas/:id"), has a page that the user may open. */
export function useMayOpen(route: string): boolean {
  return useOpenable()(route);
}

/** The name of a screen of this panel in the table. */
export function screenTitle(route: string): string {
  return screenOf(screens, panel, route).title;
}

/** The route of the screen of this panel at an address. */
export function routeAt(address: string): string {
  const screen = screenAt(screens, panel, address.split("?")[0] ?? "");
  if (!screen) throw new Error(`no screen is at ${address}`);
  return screen.route;
}

/** Whether the user may make `call`, such as "POST /admin/balance/holds", by their roles. */
export function useMayCall(call: CallName): boolean {
  const roles = useSession().user?.roles ?? [];
  return allows(callAccess(calls, call).roles, { panel, roles });
}
