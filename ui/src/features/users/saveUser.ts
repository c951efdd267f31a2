// Saves a seller user by the panel's calls: all of a new one, the changes of an existing one.
import type { Failure } from "../../api/failure";
import { useCommand } from "../../api/hooks";
import { useIdempotencyKey } from "../../api/idempotency";
import type { SellerUser, StaffSellerUser } from "../../api/models";
import { calls, REFRESHES, useBusinessQuery } from "./calls";
import { changes, creation, type FormContext, type SellerUserValues } from "./sellerUserForm";

interface SaveUser {
  /** Resolves to the saved user, or to undefined after a failure. */
  save: (values: SellerUserValues) => Promise<SellerUser | StaffSellerUser | undefined>;
  running: boolean;
  failure: Failure | undefined;
  reset: () => void;
}

export function useSaveUser(context: FormContext): SaveUser {
  const create = useCommand(calls.create, { refreshes: calls.lists });
  const update = useCommand(calls.update, { refreshes: REFRESHES });
  const businessQuery = useBusinessQuery();
  const keyFor = useIdempotencyKey();
  const command = context.user ? update : create;
  return {
    save: async (values) => {
      const { user } = context;
      try {
        if (user)
          return await update.run({
            ...businessQuery,
            path: { id: user.id },
            body: changes(values, { ...context, user }),
          });
        const body = creation(values);
        return await create.run({ ...businessQuery, body, header: { "Idempotency-Key": keyFor(body) } });
      } catch {
        return undefined;
      }
    },
    running: command.running,
    failure: command.failure,
    reset: command.reset,
  };
}
