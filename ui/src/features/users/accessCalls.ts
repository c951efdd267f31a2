// Grants, changes and removes a user's access to a company by the panel's calls.
import type { Failure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { panel } from "../../api/panel";
import { calls, REFRESHES } from "./calls";
import type { RoleId } from "./groups";

export interface AccessCall<Input> {
  run: (input: Input) => Promise<unknown>;
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

interface AccessGrant {
  business: string;
  role_id: RoleId;
}

/** Grants access to a company. If the user has access already, its group changes. */
export function useGrantAccess(user: string): AccessCall<AccessGrant> {
  const own = useCommand("POST /business/{businessId}/access", { refreshes: REFRESHES });
  const staff = useCommand("POST /admin/sellers/{sellerId}/business/access", { refreshes: REFRESHES });
  if (panel === "admin") {
    return {
      ...staff,
      run: ({ business, role_id }) =>
        staff.run({ path: { sellerId: user }, body: { business_id: business, role_id } }),
    };
  }
  return {
    ...own,
    run: ({ business, role_id }) =>
      own.run({ path: { businessId: business }, body: { seller_id: user, role_id } }),
  };
}

/** `hidesUser`: the page can no longer show the user afterwards, so its reads are not repeated. */
export function useRemoveAccess(user: string, hidesUser: boolean): AccessCall<string> {
  const refreshes = hidesUser ? calls.lists : REFRESHES;
  const own = useCommand("DELETE /business/{businessId}/access", { refreshes });
  const staff = useCommand("DELETE /admin/sellers/{sellerId}/business/access", { refreshes });
  if (panel === "admin") {
    return {
      ...staff,
      run: (business) => staff.run({ path: { sellerId: user }, body: { business_id: business } }),
    };
  }
  return {
    ...own,
    run: (business) => own.run({ path: { businessId: business }, body: { seller_id: user } }),
  };
}
