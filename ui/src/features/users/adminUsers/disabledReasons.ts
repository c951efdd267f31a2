// Why an action on an admin user is disabled: the readers are the user themselves, only owners manage owners, or the
// user is the last active owner or administrator.
import { usersStrings } from "../../../strings/pt-BR.users";
import type { DisabledReasons } from "../UserActions";

const words = usersStrings.user.disabledReasons;

interface Member {
  active: boolean;
  roles: readonly string[];
  is_self: boolean;
  editable: boolean;
  removable: boolean;
}

export function disabledReasons({ active, roles, is_self, editable, removable }: Member): DisabledReasons {
  if (is_self) return { edit: words.self, activation: words.staffSelf, deletion: words.staffSelf };
  if (!editable) return { edit: words.staffOwner, activation: words.staffOwner, deletion: words.staffOwner };
  if (removable) return {};
  const last = roles.includes("owner") ? words.lastOwner : words.lastAdmin;
  // Activation never removes the last one.
  return { deletion: last, activation: active ? last : undefined };
}
