// Activates, deactivates and deletes a seller user by the panel's calls.
import { useCommand } from "../../api/hooks";
import { calls, REFRESHES, useBusinessQuery } from "./calls";

export function useActivation({ id }: { id: string }) {
  const businessQuery = useBusinessQuery();
  const update = useCommand(calls.update, { refreshes: REFRESHES });
  const run = (active: boolean) => update.run({ ...businessQuery, path: { id }, body: { active } });
  return { ...update, run };
}

/** Only the lists are read again, because a deleted user's page no longer exists. */
export function useDeletion({ id }: { id: string }) {
  const businessQuery = useBusinessQuery();
  const remove = useCommand(calls.remove, { refreshes: calls.lists });
  return { ...remove, run: () => remove.run({ ...businessQuery, path: { id } }) };
}
