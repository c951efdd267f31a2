// The address to return to after login: the page that required it, kept in the parameter `from`.

/** The address of the login page. `from` has the path, unless that is the home page. */
export function loginAddress(login: string, path: string): string {
  return path === "/" ? login : `${login}?from=${encodeURIComponent(path)}`;
}

/** A return to one of these would redirect again, or end the session. */
const NO_RETURN_TO = ["login", "logout"];

/** The first part of a path as the router compares it: decoded, in lower case. */
function firstPart(pathname: string): string {
  const part = pathname.split("/", 2)[1] ?? "";
  try {
    return decodeURIComponent(part).toLowerCase();
  } catch {
    return part.toLowerCase();
  }
}

/** The path, query and fragment in `from`. "/" if `from` is missing, no path, another site, login or logout. */
export function returnAddress(search: string, origin: string): string {
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
  if (NO_RETURN_TO.includes(firstPart(target.pathname))) return "/";
  return target.pathname + target.search + target.hash;
}
