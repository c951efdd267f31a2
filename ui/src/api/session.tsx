// The signed-in user, and for sellers the current company. Tokens are HttpOnly cookies, so the session is known by
// asking for the current user.
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { useSWRConfig } from "swr";
import type { TimeZone } from "../format/dates";
import { ME, SIGN_OUT } from "./accountCalls";
import { businessCookie, pickBusiness, rememberedBusiness } from "./business";
import { call, onForbidden, onSessionLost } from "./client";
import { eraseDrafts, keepDraftsOf } from "./drafts";
import { type Failure, NO_ANSWER } from "./failure";
import { useApi } from "./hooks";
import type { SellerBusiness } from "./models";
import { isPageUnloading } from "./pageUnload";
import { tenantTimeZone } from "./panel";
import { onEndInOtherTab, tellTabs } from "./tabs";

interface User {
  id: string;
  name: string;
  email: string;
  /** Another user set the password. */
  passwordProvisional: boolean;
  /** From when on a link to the e-mail makes a password the user's own; null if it does now. */
  ownPasswordFrom: string | null;
  theme: "light" | "dark";
  /** The user's own zone, else that of the host's tenant. Dates are shown, typed and filtered in it. */
  timeZone: TimeZone;
  ownTimeZone: TimeZone | null;
  /** The roles in the current company, or those of the admin user. */
  roles: readonly string[];
}

export interface Session {
  /** "unavailable": the gateway answered the read of the user with an error other than a 401, and no user is known. */
  state: "loading" | "unavailable" | "signed-out" | "signed-in";
  user: User | undefined;
  business: SellerBusiness | undefined;
  businesses: readonly SellerBusiness[];
  chooseBusiness: (id: string) => void;
  /** Called after sign-in: reads the current user again. */
  begin: () => Promise<void>;
  /** Ends the session in this tab after sign-out: clears all cached answers, and erases the user's drafts. */
  end: () => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

const NONE: readonly SellerBusiness[] = [];

function stateOf(lost: boolean, failure: Failure | undefined, user: User | undefined): Session["state"] {
  // For the read of the user alone, a lost connection counts as signed out, like a session that could not be renewed.
  if (lost || failure?.status === 401 || failure?.status === NO_ANSWER) return "signed-out";
  if (user) return "signed-in";
  return failure ? "unavailable" : "loading";
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [lost, setLost] = useState(false);
  const [chosen, setChosen] = useState(() => rememberedBusiness(document.cookie));
  const { mutate } = useSWRConfig();
  const me = useApi(lost ? null : ME, undefined, { keepPrevious: false });

  // Here and not in an effect, because the first screen may read a draft before effects run.
  const [draftsOf, setDraftsOf] = useState<string>();
  if (me.data && me.data.id !== draftsOf) {
    keepDraftsOf(me.data.id);
    setDraftsOf(me.data.id);
  }

  const forget = useCallback(async () => {
    setLost(true);
    await mutate(() => true, undefined, { revalidate: false });
  }, [mutate]);
  const end = useCallback(async () => {
    tellTabs();
    eraseDrafts();
    // The same user may sign in again in this tab, and then has drafts again.
    setDraftsOf(undefined);
    await forget();
  }, [forget]);
  const reloadUser = useCallback(() => mutate((key) => Array.isArray(key) && key[0] === ME), [mutate]);
  const begin = useCallback(async () => {
    setLost(false);
    setChosen(rememberedBusiness(document.cookie));
    await reloadUser();
  }, [reloadUser]);
  const chooseBusiness = useCallback((id: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4
    document.cookie = businessCookie(id);
    setChosen(id);
  }, []);

  useEffect(() => onSessionLost(() => void forget()), [forget]);
  useEffect(() => onEndInOtherTab(() => void forget()), [forget]);
  // A 403 or a 404 may mean that the user's roles have changed, so the user is read again.
  useEffect(() => onForbidden(() => void reloadUser()), [reloadUser]);
  const unreachable = me.error?.status === NO_ANSWER;
  useEffect(() => {
    // Leaving a page aborts its reads. That must not sign the user out.
    if (!unreachable || isPageUnloading()) return;
    void forget();
    // Only the gateway can remove its cookies. It may be reachable again.
    call("get", SIGN_OUT).catch(() => undefined);
  }, [unreachable, forget]);

  const session = useMemo<Session>(() => {
    const known = lost ? undefined : me.data;
    const businesses = known && "businesses" in known ? known.businesses : NONE;
    const business = pickBusiness(businesses, chosen);
    const roles = known && "roles" in known ? known.roles : business ? [business.role] : [];
    const user: User | undefined = known && {
      id: known.id,
      name: known.name,
      email: known.email,
      passwordProvisional: known.password_provisional,
      ownPasswordFrom: known.own_password_from,
      theme: known.theme,
      timeZone: known.time_zone ?? tenantTimeZone,
      ownTimeZone: known.time_zone,
      roles,
    };
    return { state: stateOf(lost, me.error, user), user, business, businesses, chooseBusiness, begin, end };
  }, [lost, me.data, me.error, chosen, chooseBusiness, begin, end]);

  return <SessionContext value={session}>{children}</SessionContext>;
}

export function useSession(): Session {
  const session = use(SessionContext);
  if (!session) throw new Error("useSession outside of SessionProvider");
  return session;
}

/** The current company, for a screen that needs one: the guard does not show such a screen without a company. */
export function useBusiness(): SellerBusiness {
  const { business } = useSession();
  if (!business) throw new Error("a screen of a business was opened without one");
  return business;
}

export function useTimeZone(): TimeZone {
  return useSession().user?.timeZone ?? tenantTimeZone;
}
