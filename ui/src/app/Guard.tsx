// Renders the guard's decision about a route.
import { IconBuildingStore } from "@tabler/icons-react";
import { type ReactNode, useEffect } from "react";
import { Navigate, useLocation } from "react-router";
import { panel, product } from "../api/panel";
import { useSession } from "../api/session";
import { Notice } from "../components/Notice";
import { PageLoader } from "../components/PageLoader";
import { ReloadScreen } from "../components/ReloadScreen";
import { strings } from "../strings/pt-BR";
import { UNAUTHORIZED } from "./addresses";
import { decide } from "./routeDecision";
import type { PanelRoute } from "./routes";
import { Shell } from "./Shell";

export function Guard({ route, children }: { route: PanelRoute; children: ReactNode }) {
  const { state, user, business } = useSession();
  const { pathname, search } = useLocation();
  usePageTitle(route.screen.title);

  const decision = decide(route.screen, {
    panel,
    state,
    roles: user?.roles ?? [],
    passwordProvisional: user?.passwordProvisional ?? false,
    pathname,
    search,
    origin: window.location.origin,
  });
  if (decision === "wait") return <PageLoader />;
  if (decision === "reload") return <ReloadScreen />;
  if (decision !== "open") {
    const denied = decision.redirectTo === UNAUTHORIZED ? { denied: route.screen.title } : null;
    return <Navigate to={decision.redirectTo} state={denied} replace />;
  }
  if (route.bare || !user) return children;
  const lacksBusiness = panel === "seller" && !business && !route.personal;
  return (
    // A change of company mounts a new shell, so that nothing of the previous company stays on screen.
    <Shell key={business?.id}>{lacksBusiness ? <NoBusiness /> : children}</Shell>
  );
}

function NoBusiness() {
  return (
    <Notice icon={IconBuildingStore} title={strings.shell.noBusiness} heading="h1">
      {strings.shell.noBusinessHint}
    </Notice>
  );
}

/** Sets the title of the browser's tab. */
function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${product} | ${title}` : strings.defaultTitle;
  }, [title]);
}
