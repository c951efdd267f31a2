// The frame of the pages of a signed-in user: header, navigation, and an error boundary around the page.
import { AppShell, Burger, Group, NavLink } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { ErrorBoundary } from "react-error-boundary";
import { Link, useLocation } from "react-router";
import { useOpenable } from "../api/access";
import { useForgetReads } from "../api/hooks";
import { panel } from "../api/panel";
import { useSession } from "../api/session";
import { useIsNarrow } from "../components/breakpoints";
import { CONTENT_ID } from "../components/forms/useReturnFocus";
import { ModalProvider } from "../components/modals/modals";
import { PageLoader } from "../components/PageLoader";
import { ProductLogo } from "../components/ProductLogo";
import { strings } from "../strings/pt-BR";
import { BusinessSwitcher } from "./BusinessSwitcher";
import { CrashNotice } from "./CrashNotice";
import { routes } from "./routes";
import styles from "./Shell.module.css";
import { ThemeToggle } from "./ThemeToggle";
import { UserMenu } from "./UserMenu";
import { usePageFocus } from "./usePageFocus";

/** Loaded when the first modal opens, because the first page does not need the list of modals. */
const NamedModal = lazy(() => import("./NamedModal"));
/** Most companies are approved. */
const CompanyWaits = lazy(() => import("./CompanyWaits"));
/** Few users see it. */
const ProvisionalPassword = lazy(() => import("./ProvisionalPassword"));

const words = strings.shell;

export function Shell({ children }: { children: ReactNode }) {
  const [open, { toggle, close }] = useDisclosure(false);
  const { pathname } = useLocation();
  const narrow = useIsNarrow();
  const { user, business } = useSession();
  useScrollTop(pathname);
  usePageFocus();
  // The cached reads may have caused the crash, so they are dropped.
  const forget = useForgetReads();

  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 240, breakpoint: "md", collapsed: { mobile: !open } }}
      padding={0}
    >
      <a className="skip-link" href={`#${CONTENT_ID}`}>
        {words.skip}
      </a>
      <AppShell.Header className={styles.header}>
        <Group gap="sm" wrap="nowrap">
          {narrow && (
            <Burger
              opened={open}
              onClick={toggle}
              size="sm"
              aria-expanded={open}
              aria-label={open ? words.closeMenu : words.openMenu}
            />
          )}
          <Link to="/" className={styles.home} onClick={close}>
            <ProductLogo />
          </Link>
        </Group>
        <Group gap="sm" wrap="nowrap">
          {!narrow && <BusinessSwitcher onChoose={close} />}
          <ThemeToggle />
          <UserMenu />
        </Group>
      </AppShell.Header>
      {/* The keyboard cannot reach the closed drawer. */}
      <AppShell.Navbar className={styles.navbar} aria-label={words.mainNavigation} inert={narrow && !open}>
        {narrow && <BusinessSwitcher onChoose={close} />}
        <Navigation onOpen={close} />
      </AppShell.Navbar>
      <AppShell.Main className={styles.main} id={CONTENT_ID} tabIndex={-1}>
        <div className={styles.page}>
          <ErrorBoundary key={pathname} FallbackComponent={CrashNotice} onReset={forget}>
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
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ onOpen }: { onOpen: () => void }) {
  const { pathname } = useLocation();
  const mayOpen = useOpenable();
  const entries = routes[panel].filter(({ icon, screen }) => icon && mayOpen(screen.route));
  const current = entryOf(
    pathname,
    entries.map(({ screen }) => screen.route),
  );
  return entries.map(({ screen: { route: path, title }, icon: Icon, label }) => {
    const here = path === current;
    return (
      <NavLink
        key={path}
        component={Link}
        to={path}
        label={label ?? title}
        leftSection={Icon && <Icon size={20} stroke={1.7} aria-hidden />}
        active={here}
        aria-current={here ? "page" : undefined}
        className={styles.link}
        onClick={onOpen}
      />
    );
  });
}

/** The entry of the navigation that is marked on a page: that of the page, else of the nearest page above it. */
function entryOf(pathname: string, entries: readonly string[]): string | undefined {
  return entries
    .filter((entry) => pathname === entry || (entry !== "/" && pathname.startsWith(`${entry}/`)))
    .toSorted((one, other) => other.length - one.length)[0];
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
