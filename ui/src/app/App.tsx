// The panel of this host: its routes behind their guard, within the providers that pages need.
import { MantineProvider } from "@mantine/core";
import { NuqsAdapter } from "nuqs/adapters/react-router/v7";
import { Suspense, useEffect, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { BrowserRouter, matchPath, Route, Routes, useLocation } from "react-router";
import { ServedScreens } from "../api/access";
import { brandColor, highlightColor, panel, styleNonce } from "../api/panel";
import { SessionProvider } from "../api/session";
import { screens } from "../api/tables";
import { PageLoader } from "../components/PageLoader";
import { ReloadScreen } from "../components/ReloadScreen";
import { usePageTitle } from "../components/usePageTitle";
import { strings } from "../strings/pt-BR";
import { CrashNotice } from "./CrashNotice";
import { Guard } from "./Guard";
import { NotFoundPage } from "./NotFoundPage";
import { type PanelRoute, routes } from "./routes";
import { useThemeOfUser } from "./ThemeToggle";
import { tenantColorsOf } from "./tenantColors";
import { colorSchemeManager, cssVariablesOf, themeOf } from "./theme";

const notFound: PanelRoute = {
  screen: { panel, roles: "public", route: "*", title: strings.notFound.title },
  personal: true,
  page: NotFoundPage,
};

const tenantColors = tenantColorsOf(brandColor, highlightColor);
const openScreens = screens.filter((screen) => screen.panel === "open");
const served = new Set([...routes[panel], ...routes.open].map(({ screen }) => screen.route));

export function App() {
  return (
    <MantineProvider
      theme={themeOf(tenantColors)}
      cssVariablesResolver={cssVariablesOf(tenantColors)}
      colorSchemeManager={colorSchemeManager}
      // Before sign-in, the theme is the system's.
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <ErrorBoundary FallbackComponent={CrashNotice}>
        <BrowserRouter>
          <NuqsAdapter>
            <Pages />
          </NuqsAdapter>
        </BrowserRouter>
      </ErrorBoundary>
    </MantineProvider>
  );
}

function Pages() {
  const { pathname } = useLocation();
  // A newer version was installed and the page's file is gone: only a reload helps.
  const outdated = useMissingFiles();
  if (outdated) return <ReloadScreen timedOut />;
  // Public pages belong to no panel and do not read the user.
  if (openScreens.some(({ route }) => matchPath(route, pathname))) return <OpenPages />;
  return (
    <SessionProvider>
      <ServedScreens routes={served}>
        <PanelPages />
      </ServedScreens>
    </SessionProvider>
  );
}

function OpenPages() {
  return (
    <Suspense>
      <Routes>
        {[...routes.open, notFound].map((route) => (
          <Route key={route.screen.route} path={route.screen.route} element={<OpenPage route={route} />} />
        ))}
      </Routes>
    </Suspense>
  );
}

function OpenPage({ route: { screen, page: Page } }: { route: PanelRoute }) {
  usePageTitle(screen.title);
  return <Page />;
}

function PanelPages() {
  useThemeOfUser();
  return (
    <Suspense fallback={<PageLoader />}>
      <Routes>
        {[...routes[panel], notFound].map((route) => (
          <Route
            key={route.screen.route}
            path={route.screen.route}
            element={
              <Guard route={route}>
                <route.page />
              </Guard>
            }
          />
        ))}
      </Routes>
    </Suspense>
  );
}

function useMissingFiles(): boolean {
  const [missing, setMissing] = useState(false);
  useEffect(() => {
    const note = () => setMissing(true);
    window.addEventListener("vite:preloadError", note);
    return () => window.removeEventListener("vite:preloadError", note);
  }, []);
  return missing;
}
