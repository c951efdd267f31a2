// What the signed-in member of staff may do beyond opening a page. The gateway decides again; this only keeps
// the panel from offering what it would refuse.
import { useSession } from "./session";

function useHasRole(...fitting: readonly string[]): boolean {
  const roles = useSession().user?.roles ?? [];
  return fitting.some((role) => roles.includes(role));
}

/** The platform's owner and its administrators. */
export function useIsAdministrator(): boolean {
  return useHasRole("owner", "admin");
}

export function useSeesBalances(): boolean {
  return useHasRole("owner", "admin", "commercial-supervisor");
}
