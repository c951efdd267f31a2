// The calls about seller users that both panels have. Sellers manage users of their companies; staff manage all.
import { useCommand } from "../../api/hooks";
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

/** Activates or deactivates a seller user by the panel's call. */
export function useActivation({ id }: { id: string }) {
  const businessQuery = useBusinessQuery();
  const update = useCommand(calls.update, { refreshes: REFRESHES });
  const run = (active: boolean) => update.run({ ...businessQuery, path: { id }, body: { active } });
  return { ...update, run };
}

/** Deletes a seller user. Only the lists are read again, because a deleted user's page no longer exists. */
export function useDeletion({ id }: { id: string }) {
  const businessQuery = useBusinessQuery();
  const remove = useCommand(calls.remove, { refreshes: calls.lists });
  return { ...remove, run: () => remove.run({ ...businessQuery, path: { id } }) };
}
