// Who is signed in, and for sellers which business they act for. Tokens are HttpOnly cookies, so the
// session is known by asking for the current user; this holds no secret.
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import { useSWRConfig } from "swr";
import type { TimeZone } from "../format/dates";
import { businessCookie, pickBusiness, rememberedBusiness } from "./business";
import { call, onRefused, onSessionLost } from "./client";
import { type Failure, NO_ANSWER } from "./failure";
import { useApi } from "./hooks";
import { isBeingLeft } from "./leaving";
import type { SellerBusiness } from "./models";
import { ME, SIGN_OUT } from "./ownCalls";
import { tenantTimeZone } from "./panel";

interface User {
  id: string;
  name: string;
  email: string;
  theme: "light" | "dark";
  /** Their own choice, else the tenant's: all dates are shown, typed and filtered in it. */
  timeZone: TimeZone;
  ownTimeZone: TimeZone | null;
  /** The roles that count now: those of the current business, or of the staff member. */
  roles: readonly string[];
}

export interface Session {
  /** "unavailable": the gateway answered, but could not say who the user is. */
  state: "loading" | "unavailable" | "out" | "in";
  user: User | undefined;
  business: SellerBusiness | undefined;
  businesses: readonly SellerBusiness[];
  chooseBusiness: (id: string) => void;
  /** Called after signing in: asks again who the user is. */
  begin: () => Promise<void>;
  /** Called after signing out: forgets everything that was read. */
  end: () => Promise<void>;
}

const SessionContext = createContext<Session | null>(null);

const NONE: readonly SellerBusiness[] = [];

function stateOf(lost: boolean, failure: Failure | undefined, user: User | undefined): Session["state"] {
  // Of this one call a lost connection counts as signed out, like a session that could not be renewed.
  if (lost || failure?.status === 401 || failure?.status === NO_ANSWER) return "out";
  if (user) return "in";
  return failure ? "unavailable" : "loading";
}

export function SessionProvider({ children }: { children: ReactNode }) {
  const [lost, setLost] = useState(false);
  const [chosen, setChosen] = useState(() => rememberedBusiness(document.cookie));
  const { mutate } = useSWRConfig();
  const me = useApi(lost ? null : ME, undefined, { keepPrevious: false });

  const end = useCallback(async () => {
    setLost(true);
    await mutate(() => true, undefined, { revalidate: false });
  }, [mutate]);
  const askAgain = useCallback(() => mutate((key) => Array.isArray(key) && key[0] === ME), [mutate]);
  const begin = useCallback(async () => {
    setLost(false);
    setChosen(rememberedBusiness(document.cookie));
    await askAgain();
  }, [askAgain]);
  const chooseBusiness = useCallback((id: string) => {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari before 18.4
    document.cookie = businessCookie(id);
    setChosen(id);
  }, []);

  useEffect(() => onSessionLost(() => void end()), [end]);
  // Somebody may have changed meanwhile what the person may do: then the panel is no longer theirs as it stands.
  useEffect(() => onRefused(() => void askAgain()), [askAgain]);
  const unreachable = me.error?.status === NO_ANSWER;
  useEffect(() => {
    // A page that is left cuts off its own calls: that is no reason to sign anybody out.
    if (!unreachable || isBeingLeft()) return;
    void end();
    // Only the gateway can take its cookies back, if it can be reached again by now.
    call("get", SIGN_OUT).catch(() => undefined);
  }, [unreachable, end]);

  const session = useMemo<Session>(() => {
    const known = lost ? undefined : me.data;
    const businesses = known && "businesses" in known ? known.businesses : NONE;
    const business = pickBusiness(businesses, chosen);
    const roles = known && "roles" in known ? known.roles : business ? [business.role] : [];
    const user: User | undefined = known && {
      id: known.id,
      name: known.name,
      email: known.email,
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

/** The business that a seller's screen is about. The guard lets no such screen open without one. */
export function useBusiness(): SellerBusiness {
  const { business } = useSession();
  if (!business) throw new Error("a screen of a business was opened without one");
  return business;
}

export function useTimeZone(): TimeZone {
  return useSession().user?.timeZone ?? tenantTimeZone;
}
