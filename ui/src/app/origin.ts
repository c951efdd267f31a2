// The page someone came from when login stopped them, kept in the address as `from`.

/** The login page's address that remembers `path`. */
export function loginFrom(login: string, path: string): string {
  return path === "/" ? login : `${login}?from=${encodeURIComponent(path)}`;
}

/** The screens that lead back here, or that end the session. */
const NEVER_BACK_TO = ["login", "logout"];

/** The first part of a path as the router compares it: decoded, and in any case. */
function firstPart(pathname: string): string {
  const part = pathname.split("/", 2)[1] ?? "";
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

/** Where to go after login: only ever a path of this same site. */
export function safeOrigin(search: string, origin: string): string {
  const from = new URLSearchParams(search).get("from");
  if (!from?.startsWith("/")) return "/";
  let target: URL;
  try {
    target = new URL(from, origin);
  } catch {
    return "/";
  }
  // Of "/.//host" the path is "//host", which the browser would take for another site's address.
  if (target.origin !== origin || target.pathname.startsWith("//")) return "/";
  if (NEVER_BACK_TO.includes(firstPart(target.pathname))) return "/";
  return target.pathname + target.search + target.hash;
}
