// The panel of this host: its routes behind their guard, within the providers that pages need.
import { MantineProvider } from "@mantine/core";
import { NuqsAdapter } from "nuqs/adapters/react-router/v7";
import { Suspense, useEffect, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { BrowserRouter, Route, Routes } from "react-router";
import { ServedScreens } from "../api/access";
import { brandColor, highlightColor, panel, styleNonce } from "../api/panel";
import { SessionProvider } from "../api/session";
import { useNoteVisits } from "../api/visits";
import { PageLoader } from "../components/PageLoader";
import { ReloadScreen } from "../components/ReloadScreen";
import { tenantColorsOf } from "../format/tenantColors";
import { strings } from "../strings/pt-BR";
import { CrashNotice } from "./CrashNotice";
import { Guard } from "./Guard";
import { NotFoundPage } from "./NotFoundPage";
import { type PanelRoute, routes } from "./routes";
import { useThemeOfUser } from "./ThemeToggle";
import { colorSchemeManager, cssVariablesOf, themeOf } from "./theme";

const notFound: PanelRoute = {
  screen: { panel, roles: "public", route: "*", title: strings.notFound.title },
  personal: true,
  page: NotFoundPage,
};

const tenantColors = tenantColorsOf(brandColor, highlightColor);
const served = new Set(routes[panel].map(({ screen }) => screen.route));

export function App() {
  return (
    <MantineProvider
      theme={themeOf(tenantColors)}
      cssVariablesResolver={cssVariablesOf(tenantColors)}
      colorSchemeManager={colorSchemeManager}
      // The system's theme, until the browser has a saved one.
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
  useNoteVisits();
  // A file of the panel could not be loaded, for example because a newer version was installed.
  if (useMissingFiles()) return <ReloadScreen />;
  return (
    <SessionProvider>
      <ServedScreens routes={served}>
        <PanelPages />
      </ServedScreens>
    </SessionProvider>
  );
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
