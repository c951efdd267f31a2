// The panel of this host: its routes behind their guard, inside everything that pages rely on.
import { MantineProvider } from "@mantine/core";
import { NuqsAdapter } from "nuqs/adapters/react-router/v7";
import { Suspense, useEffect, useState } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { BrowserRouter, Route, Routes } from "react-router";
import { panel, styleNonce } from "../api/panel";
import { SessionProvider } from "../api/session";
import { ReloadScreen } from "../components/ReloadScreen";
import { Waiting } from "../components/Waiting";
import { strings } from "../strings/pt-BR";
import { CrashNotice } from "./CrashNotice";
import { Guard } from "./Guard";
import { NotFoundPage } from "./NotFoundPage";
import { type PanelRoute, routes } from "./routes";
import { useThemeOfUser } from "./ThemeToggle";
import { colorSchemeManager, cssVariables, theme } from "./theme";

const notFound: PanelRoute = {
  path: "*",
  title: strings.notFound.title,
  access: "public",
  page: NotFoundPage,
};

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="light"
      getStyleNonce={() => styleNonce}
    >
      <ErrorBoundary FallbackComponent={CrashNotice}>
        <BrowserRouter>
          <NuqsAdapter>
            <SessionProvider>
              <Pages />
            </SessionProvider>
          </NuqsAdapter>
        </BrowserRouter>
      </ErrorBoundary>
    </MantineProvider>
  );
}

function Pages() {
  useThemeOfUser();
  // A page's file is gone when a newer version was installed meanwhile: only a whole reload helps.
  const outdated = useMissingFiles();
  if (outdated) return <ReloadScreen timedOut />;
  return (
    <Suspense fallback={<Waiting />}>
      <Routes>
        {[...routes[panel], notFound].map((route) => (
          <Route
            key={route.path}
            path={route.path}
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
