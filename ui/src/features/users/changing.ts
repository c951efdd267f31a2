// Lets a seller's user in, keeps them out, and deletes them, by the panel's calls.
import { useCommand } from "../../api/hooks";
import { calls, REFRESHES, useActingFrom } from "./calls";

export function useSwitching({ id, active }: { id: string; active: boolean }) {
  const from = useActingFrom();
  const update = useCommand(calls.update, { refreshes: REFRESHES });
  return { ...update, run: () => update.run({ ...from, path: { id }, body: { active: !active } }) };
}

/** The page of who is gone is not asked for again. */
export function useRemoving({ id }: { id: string }) {
  const from = useActingFrom();
  const remove = useCommand(calls.remove, { refreshes: calls.lists });
  return { ...remove, run: () => remove.run({ ...from, path: { id } }) };
}
