// The calls about one seller's user that both panels have: sellers for people of their company, staff for anybody.
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

/** What a change of somebody changes. */
export const REFRESHES = [...calls.lists, ...calls.one];

/** From which company a seller acts, whatever another tab of the browser has chosen since; staff act from none. */
export function useActingFrom(): { query?: { business_id: string } } {
  const { business } = useSession();
  return business ? { query: { business_id: business.id } } : {};
}
