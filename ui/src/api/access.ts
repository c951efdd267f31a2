// What the signed-in member of staff may do beyond opening a page. The gateway decides again; this only keeps
// the panel from offering what it would refuse.
import { useSession } from "./session";

/** The platform's owner and its administrators. */
export function useIsAdministrator(): boolean {
  const roles = useSession().user?.roles ?? [];
  return roles.includes("owner") || roles.includes("admin");
}
