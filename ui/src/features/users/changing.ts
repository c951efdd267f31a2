// Activates, deactivates and deletes a seller user by the panel's calls.
import { useCommand } from "../../api/hooks";
import { calls, REFRESHES, useActingFrom } from "./calls";

export function useSwitching({ id, active }: { id: string; active: boolean }) {
  const from = useActingFrom();
  const update = useCommand(calls.update, { refreshes: REFRESHES });
  return { ...update, run: () => update.run({ ...from, path: { id }, body: { active: !active } }) };
}

/** The page of a deleted user is not read again. */
export function useRemoving({ id }: { id: string }) {
  const from = useActingFrom();
  const remove = useCommand(calls.remove, { refreshes: calls.lists });
  return { ...remove, run: () => remove.run({ ...from, path: { id } }) };
}
