// Decides whether the page of a route opens: waits for the session, sends to login, home, or unauthorized.
import { IconBuildingStore } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Navigate, useLocation } from "react-router";
import { panel } from "../api/panel";
import { useSession } from "../api/session";
import { Notice } from "../components/Notice";
import { ReloadScreen } from "../components/ReloadScreen";
import { usePageTitle } from "../components/usePageTitle";
import { Waiting } from "../components/Waiting";
import { strings } from "../strings/pt-BR";
import { loginFrom, safeOrigin } from "./origin";
import { LOGIN, mayOpen, type PanelRoute, UNAUTHORIZED } from "./routes";
import { Shell } from "./Shell";

export function Guard({ route, children }: { route: PanelRoute; children: ReactNode }) {
  const { state, user, business } = useSession();
  const { pathname, search } = useLocation();
  usePageTitle(route.title);

  if (state === "loading") return <Waiting />;
  if (state === "unavailable") return <ReloadScreen timedOut />;
  if (route.access === "public") {
    if (user && route.path === LOGIN)
      return <Navigate to={safeOrigin(search, window.location.origin)} replace />;
    return user && !route.bare ? <Shell>{children}</Shell> : children;
  }
  if (!user) {
    return <Navigate to={route.path === "/logout" ? LOGIN : loginFrom(LOGIN, pathname + search)} replace />;
  }
  if (!mayOpen(route, user.roles)) return <Navigate to={UNAUTHORIZED} replace />;
  if (route.bare) return children;
  return (
    // Another business is another set of pages: nothing of the one left behind may stay on the screen.
    <Shell key={business?.id}>{panel === "seller" && !business ? <NoBusiness /> : children}</Shell>
  );
}

function NoBusiness() {
  return (
    <Notice icon={IconBuildingStore} title={strings.shell.noBusiness} heading="h1">
      {strings.shell.noBusinessHint}
    </Notice>
  );
}
