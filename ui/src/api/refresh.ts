// Renews an expired session, one renewal at a time, because the gateway rotates the refresh token at each use. The
// tokens live in HttpOnly cookies that scripts cannot read.
import { panel } from "./panel";

const LOCK = `razao-${panel}-refresh`;
const REFRESHED_AT = `razao-${panel}-refreshed-at`;
const REFRESH_PATH = panel === "admin" ? "/api/auth/admin/refresh-token" : "/api/auth/refresh-token";

/** The CSRF token, or "" if there is none: then the gateway refuses the write. */
export async function csrfToken(): Promise<string> {
  // Read before each write: another tab may have begun another session, for which an older token is invalid.
  const response = await fetch("/api/auth/get-csrf-token", { credentials: "same-origin", cache: "no-store" });
  if (!response.ok) return "";
  const body = (await response.json()) as { csrfToken: string };
  return body.csrfToken;
}

function lastRefresh(): number {
  try {
    return Number(localStorage.getItem(REFRESHED_AT) ?? 0);
  } catch {
    return 0;
  }
}

function rememberRefresh() {
  try {
    localStorage.setItem(REFRESHED_AT, String(Date.now()));
  } catch {
    // Without storage, each refused request renews for itself.
  }
}

let inThisTab: Promise<boolean> | undefined;

/** Runs one `renew` at a time over all tabs, by a lock. Without locks, the calls of this tab share the running one. */
async function alone(renew: () => Promise<boolean>): Promise<boolean> {
  // navigator.locks exists only on secure pages (https or localhost).
  if (navigator.locks) return await navigator.locks.request(LOCK, renew);
  inThisTab ??= renew().finally(() => {
    inThisTab = undefined;
  });
  return inThisTab;
}

/**
 * True if the session is valid again. `sentAt` is when the refused request was sent: if another request or tab has
 * renewed the session since then, nothing is sent.
 */
export function refreshSession(sentAt: number): Promise<boolean> {
  return alone(async () => {
    if (lastRefresh() > sentAt) return true;
    try {
      const response = await fetch(REFRESH_PATH, {
        method: "POST",
        credentials: "same-origin",
        headers: { "Content-Type": "application/json", "X-CSRF-Token": await csrfToken() },
        body: "{}",
      });
      if (response.ok) rememberRefresh();
      return response.ok;
    } catch {
      return false;
    }
  });
}
