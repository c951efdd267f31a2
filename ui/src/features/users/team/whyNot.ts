// Why something cannot be done with a member of staff: they are oneself, an owner whom only an owner changes, or the last
// who could do what must be done.
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
  // To let somebody in takes nobody away.
  return { remove: last, switch: active ? last : undefined };
}
