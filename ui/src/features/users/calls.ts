// The calls about seller users that both panels have. Sellers manage users of their companies; staff manage all.
import { type PanelName, panel } from "../../api/panel";
import { useSession } from "../../api/session";

const callsOf = {
  seller: {
    create: "POST /business/sellers",
    update: "PATCH /business/sellers/{id}",
    remove: "DELETE /business/sellers/{id}",
    lists: ["/business/users"],
    one: ["/business/users/{id}", "/business/users/{id}/history"],
  },
  admin: {
    create: "POST /admin/sellers",
    update: "PATCH /admin/sellers/{id}",
    remove: "DELETE /admin/sellers/{id}",
    lists: ["/admin/sellers"],
    one: ["/admin/sellers/{id}", "/admin/sellers/{id}/history"],
  },
} as const satisfies Record<PanelName, unknown>;

export const calls = callsOf[panel];

/** The reads to repeat after a change of a user. */
export const REFRESHES = [...calls.lists, ...calls.one];

/** The company that the seller acts for in this tab, even if another tab has switched. Staff act for none. */
export function useBusinessQuery(): { query?: { business_id: string } } {
  const { business } = useSession();
  return business ? { query: { business_id: business.id } } : {};
}
