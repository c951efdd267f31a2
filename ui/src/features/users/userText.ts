// A user's groups and companies in one line. Screens call a role a group.
import type { SellerRole } from "../../api/models";
import { truncate } from "../../format/text";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.users;

interface Accesses {
  businesses: readonly { name: string; role: SellerRole }[];
  /** The number of the user's companies that the signed-in seller does not manage. */
  other_businesses?: number;
}

/** "Padaria e mais 2" */
export function businessesText({ businesses, other_businesses = 0 }: Accesses): string {
  const [first, ...rest] = businesses;
  const others = rest.length + other_businesses;
  if (!first) return others > 0 ? words.notYours(others) : words.noBusiness;
  return others > 0 ? words.andMore(truncate(first.name), others) : first.name;
}

/** The group in the current company; a dash if the user has none. */
export function roleText(role: SellerRole | null): string {
  return role ? strings.roles[role] : strings.list.none;
}

/** Each group once: "Proprietário, Operador" */
export function rolesText({ businesses }: Accesses): string {
  return [...new Set(businesses.map(({ role }) => strings.roles[role]))].join(", ") || strings.list.none;
}

const STAFF_ROLES: Readonly<Record<string, string>> = strings.staffRoles;

/** The names of the groups; a group without a name has its code. */
export function staffRolesText(roles: readonly string[]): string {
  return roles.map((role) => (Object.hasOwn(STAFF_ROLES, role) ? STAFF_ROLES[role] : role)).join(", ");
}

/** The flash message after a user is created. An inactive user cannot sign in yet. */
export function createdText({ name, active }: { name: string; active: boolean }): string {
  return active ? usersStrings.user.created(name) : usersStrings.user.createdInactive;
}
