// The groups that a user may grant in a company, and the users whose access they may change. The gateway checks again.
import type { SellerRole } from "../../api/models";
import { strings } from "../../strings/pt-BR";
import { usersStrings } from "../../strings/pt-BR.users";

const words = usersStrings.user.disabledReasons;

/** The gateway's numbers of the roles (`role_id`). Screens call a role a group. */
const ROLE_IDS = { owner: 1, admin: 2, operator: 7 } as const satisfies Record<SellerRole, number>;

export type RoleId = (typeof ROLE_IDS)[SellerRole];
/** A group as the value of a select; empty while none is chosen. */
export type GroupChoice = "" | `${RoleId}`;

export const groupOf = (role: SellerRole): Exclude<GroupChoice, ""> => `${ROLE_IDS[role]}`;
export const idOf = (group: Exclude<GroupChoice, "">): RoleId => Number(group) as RoleId;

export function roleOf(group: GroupChoice): SellerRole | undefined {
  return (Object.keys(ROLE_IDS) as SellerRole[]).find((role) => groupOf(role) === group);
}

/** A company, and the signed-in user's role in it. */
export interface OwnCompany {
  id: string;
  name: string;
  role: SellerRole;
}

/** Whether the role `ownRole` may grant `role` in a company and change the access of users who have it. */
export function canManage(ownRole: SellerRole | undefined, role: SellerRole): boolean {
  if (ownRole === "owner") return role !== "owner";
  return ownRole === "admin" && role === "operator";
}

/** The groups that can be granted in at least one of these companies. */
export function groupsOffered(companies: readonly OwnCompany[]): SellerRole[] {
  return (["admin", "operator"] as const).filter((role) =>
    companies.some((own) => canManage(own.role, role)),
  );
}

/** Staff can also create owners. */
export const ALL_GROUPS: readonly SellerRole[] = ["owner", "admin", "operator"];

export const groupOptions = (roles: readonly SellerRole[]) =>
  roles.map((role) => ({ value: groupOf(role), label: strings.roles[role] }));

/** The companies in which `group` can be granted. Without a group, those in which the lowest, operator, can. */
export function companiesOffered<Own extends OwnCompany>(
  companies: readonly Own[],
  group: GroupChoice,
): Own[] {
  const role = roleOf(group);
  return companies.filter((own) => canManage(own.role, role ?? "operator"));
}

/** Why the signed-in user cannot change the access of a user whose role is `userRole`. */
export function accessDisabledReason(isSelf: boolean, userRole: SellerRole): string {
  if (isSelf) return words.selfAccess;
  return userRole === "owner" ? words.owner : words.admin;
}
