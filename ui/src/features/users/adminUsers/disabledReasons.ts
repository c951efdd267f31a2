// Why an action on an admin user is disabled. Users cannot act on their own record, only owners manage owners, and the
// last active owner or administrator must stay.
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
  const isOwner = roles.includes("owner");
  // The gateway does not tell of which of two groups the user is the last one.
  const ofBoth = isOwner && roles.includes("admin");
  const last = ofBoth ? words.lastOwnerOrAdmin : isOwner ? words.lastOwner : words.lastAdmin;
  // Activating an inactive user removes no active owner or administrator.
  return { deletion: last, activation: active ? last : undefined };
}
