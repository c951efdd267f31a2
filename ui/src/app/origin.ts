// The page that required login, kept in the address as `from`.

/** The login page's address with `path` in `from`. */
export function loginFrom(login: string, path: string): string {
  return path === "/" ? login : `${login}?from=${encodeURIComponent(path)}`;
}

/** Screens that redirect to login or end the session. */
const NEVER_BACK_TO = ["login", "logout"];

/** The first part of a path as the router compares it: decoded, in lower case. */
function firstPart(pathname: string): string {
  const part = pathname.split("/", 2)[1] ?? "";
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

/** The address after login: always a path of this site. */
export function safeOrigin(search: string, origin: string): string {
  const from = new URLSearchParams(search).get("from");
  if (!from?.startsWith("/")) return "/";
  let target: URL;
  try {
    target = new URL(from, origin);
  } catch {
    return "/";
  }
  // The path of "/.//host" is "//host", which a browser reads as another site.
  if (target.origin !== origin || target.pathname.startsWith("//")) return "/";
  if (NEVER_BACK_TO.includes(firstPart(target.pathname))) return "/";
  return target.pathname + target.search + target.hash;
}
