// Why an action on an admin user is disabled: it is the reader, an owner and the reader is none, or the last
// active owner or administrator.
import { usersStrings } from "../../../strings/pt-BR.users";
import type { WhyNot } from "../UserActions";

const words = usersStrings.user.whyNot;

interface Member {
  active: boolean;
  roles: readonly string[];
  is_self: boolean;
  editable: boolean;
  removable: boolean;
}

export function whyNot({ active, roles, is_self, editable, removable }: Member): WhyNot {
  if (is_self) return { edit: words.self, switch: words.staffSelf, remove: words.staffSelf };
  if (!editable) return { edit: words.staffOwner, switch: words.staffOwner, remove: words.staffOwner };
  if (removable) return {};
  const last = roles.includes("owner") ? words.lastOwner : words.lastAdmin;
  // Activation never removes the last one.
  return { remove: last, switch: active ? last : undefined };
}
