// The form of an admin user: its initial values, its validation, and the body that is sent. Screens call a role a
// group.
import * as z from "zod/mini";
import {
  emailField,
  nameField,
  newPasswordField,
  optionalPasswordField,
} from "../../../components/forms/personFields";
import { usersStrings } from "../../../strings/pt-BR.users";

/** Owners and operators cannot be created here. A user who has one of these groups keeps it until it is unchecked. */
const OFFERED = ["admin", "financial", "commercial-supervisor", "commercial", "sac"] as const;

export interface ExistingAdmin {
  id: string;
  name: string;
  email: string;
  active: boolean;
  roles: readonly string[];
}

/** The groups to choose from, including all that the user already has. */
export function rolesOffered(user: ExistingAdmin | undefined): string[] {
  const others = user?.roles.filter((role) => !OFFERED.some((offered) => offered === role)) ?? [];
  return [...others, ...OFFERED];
}

export const initialAdmin = (user: ExistingAdmin | undefined): AdminUserValues => ({
  name: user?.name ?? "",
  email: user?.email ?? "",
  password: "",
  active: user?.active ?? true,
  roles: [...(user?.roles ?? [])],
});

export const adminUserSchema = (user: ExistingAdmin | undefined) =>
  z.object({
    name: nameField,
    email: emailField,
    password: user ? optionalPasswordField : newPasswordField,
    active: z.boolean(),
    roles: z.array(z.string()).check(z.minLength(1, usersStrings.userFields.groupRequired)),
  });
export type AdminUserValues = z.infer<ReturnType<typeof adminUserSchema>>;

export function adminCreation({ name, email, ...rest }: AdminUserValues) {
  return { ...rest, name: name.trim(), email: email.trim() };
}

/** Only the changed fields. */
export function adminChanges(values: AdminUserValues, user: ExistingAdmin) {
  const { name, email, password, active, roles } = adminCreation(values);
  const sameRoles = roles.length === user.roles.length && roles.every((role) => user.roles.includes(role));
  return {
    ...(name !== user.name && { name }),
    ...(email.toLowerCase() !== user.email.toLowerCase() && { email }),
    ...(password !== "" && { password }),
    ...(active !== user.active && { active }),
    ...(!sameRoles && { roles }),
  };
}
