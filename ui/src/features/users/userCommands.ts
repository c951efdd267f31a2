// Activates, deactivates and deletes a seller user by the panel's calls.
import { useCommand } from "../../api/hooks";
import { calls, REFRESHES, useBusinessQuery } from "./calls";

export function useActivation({ id, active }: { id: string; active: boolean }) {
  const businessQuery = useBusinessQuery();
  const update = useCommand(calls.update, { refreshes: REFRESHES });
  return { ...update, run: () => update.run({ ...businessQuery, path: { id }, body: { active: !active } }) };
}

/** The page of a deleted user is not read again. */
export function useDeletion({ id }: { id: string }) {
  const businessQuery = useBusinessQuery();
  const remove = useCommand(calls.remove, { refreshes: calls.lists });
  return { ...remove, run: () => remove.run({ ...businessQuery, path: { id } }) };
}
