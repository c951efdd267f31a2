// The page someone came from when login stopped them, kept in the address as `from`.

/** The login page's address that remembers `path`. */
export function loginFrom(login: string, path: string): string {
  return path === "/" ? login : `${login}?from=${encodeURIComponent(path)}`;
}

/** Where to go after login: only ever a path of this same site. */
export function safeOrigin(search: string, origin: string): string {
  const from = new URLSearchParams(search).get("from");
  // "//host" and "/\host" would leave the site; so would a full address.
  if (!from?.startsWith("/") || /^\/[/\\]/.test(from)) return "/";
  let target: URL;
  try {
    target = new URL(from, origin);
  } catch {
    return "/";
  }
  if (target.origin !== origin || /^\/(login|logout)(\/|$)/.test(target.pathname)) return "/";
  return target.pathname + target.search + target.hash;
}
