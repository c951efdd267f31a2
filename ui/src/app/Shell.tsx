// The frame of the pages of a signed-in user: header, navigation, and an error boundary around the page. On a narrow
// screen the navigation is a bar at the bottom.
import { Group } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Link, useLocation } from "react-router";
import { useOpenable } from "../api/access";
import { useForgetReads } from "../api/hooks";
import { panel, product } from "../api/panel";
import { useSession } from "../api/session";
import { useIsNarrow } from "../components/breakpoints";
import { CONTENT_ID } from "../components/forms/useReturnFocus";
import { ModalProvider } from "../components/modals/modals";
import { PageLoader } from "../components/PageLoader";
import { ProductLogo, ProductMark } from "../components/ProductLogo";
import { strings } from "../strings/pt-BR";
import { Breadcrumb } from "./Breadcrumb";
import { BusinessSwitcher } from "./BusinessSwitcher";
import { CrashNotice } from "./CrashNotice";
import { visibleGroups } from "./navigation";
import { GroupTabs, PhoneBar } from "./PhoneNavigation";
import { groups } from "./routes";
import styles from "./Shell.module.css";
import { Sidebar } from "./Sidebar";
import { ThemeToggle } from "./ThemeToggle";
import { UserMenu } from "./UserMenu";
import { usePageFocus } from "./usePageFocus";
import { useWaiting } from "./waiting";

/** Loaded when the first modal opens, because the first page does not need the list of modals. */
const NamedModal = lazy(() => import("./NamedModal"));
/** Most companies are approved. */
const CompanyWaits = lazy(() => import("./CompanyWaits"));
/** Few users see it. */
const ProvisionalPassword = lazy(() => import("./ProvisionalPassword"));

const words = strings.shell;

export function Shell({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const narrow = useIsNarrow();
  const { user, business } = useSession();
  useScrollTop(pathname);
  usePageFocus();
  // The cached reads may have caused the crash, so they are dropped.
  const forget = useForgetReads();

  const waiting = useWaiting();
  const seen = visibleGroups(groups[panel], useOpenable());
  const navigation = { groups: seen, waiting };

  return (
    <>
      <a className="skip-link" href={`#${CONTENT_ID}`}>
        {words.skip}
      </a>
      <header className={styles.header}>
        {narrow && business ? (
          <div className={styles.title}>
            <Link to="/" className={styles.home} aria-label={product}>
              <ProductMark />
            </Link>
            <div className={styles.titleWords}>
              <small>{product}</small>
              <BusinessSwitcher asTitle />
            </div>
          </div>
        ) : (
          <Group gap="sm" wrap="nowrap">
            <Link to="/" className={styles.home}>
              <ProductLogo />
            </Link>
            {panel === "admin" && <span className={styles.panelName}>{words.administration}</span>}
          </Group>
        )}
        <Group gap="sm" wrap="nowrap">
          {!narrow && <BusinessSwitcher />}
          {!narrow && <ThemeToggle />}
          <UserMenu />
        </Group>
      </header>
      {narrow ? (
        <nav className={styles.footer} aria-label={words.mainNavigation}>
          <PhoneBar {...navigation} />
        </nav>
      ) : (
        <nav className={styles.navbar} aria-label={words.mainNavigation}>
          <Sidebar {...navigation} />
        </nav>
      )}
      <main className={styles.main} data-narrow={narrow || undefined} id={CONTENT_ID} tabIndex={-1}>
        {narrow && <GroupTabs {...navigation} />}
        {/* A new element for each page: the tabs above it differ, and it must not be seen to move. */}
        <div className={styles.page} key={pathname}>
          <Breadcrumb />
          <ErrorBoundary FallbackComponent={CrashNotice} onReset={forget}>
            {user?.passwordProvisional && (
              <Suspense>
                <ProvisionalPassword />
              </Suspense>
            )}
            <ModalProvider content={NamedModal}>
              {business && business.approval !== "enabled" && (
                <Suspense>
                  <CompanyWaits business={business} />
                </Suspense>
              )}
              <Suspense fallback={<PageLoader />}>{children}</Suspense>
            </ModalProvider>
          </ErrorBoundary>
        </div>
      </main>
    </>
  );
}

/** A new page starts at its top; a change of filters keeps the scroll position. */
function useScrollTop(pathname: string) {
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    window.scrollTo(0, 0);
  }, [pathname]);
}
