// The form of a seller user: its initial values, its validation, and the body that is sent. Screens call a role a
// group.
import * as z from "zod/mini";
import type { SellerRole } from "../../api/models";
import {
  cpfField,
  emailField,
  nameField,
  newPasswordField,
  optionalPasswordField,
} from "../../components/forms/personFields";
import { usersStrings } from "../../strings/pt-BR.users";
import { canManage, type GroupChoice, groupOf, idOf, type OwnCompany, roleOf } from "./groups";

const words = usersStrings.userFields;

/** The fields of an existing user that the form needs. */
export interface ExistingUser {
  id: string;
  name: string;
  email: string;
  document: string;
  active: boolean;
  /** `changeable`: whether the signed-in seller may change the access; missing for staff. */
  businesses: readonly { id: string; name: string; role: SellerRole; changeable?: boolean }[];
  /** The number of the user's companies that the signed-in seller does not manage. */
  other_businesses?: number;
  /** Undefined for staff, who may change everything. */
  editable?: boolean;
}

export interface SellerUserValues {
  name: string;
  email: string;
  password: string;
  document: string;
  active: boolean;
  role_id: GroupChoice;
  businesses_ids: string[];
}

/** The edited user, if any, and the companies of the signed-in seller, which are undefined for staff. */
export interface FormContext {
  user?: ExistingUser | undefined;
  companies?: readonly OwnCompany[] | undefined;
  /** The initial company of a new user. */
  current?: string | undefined;
}

const changeableAccesses = (user: ExistingUser | undefined) =>
  user?.businesses.filter((access) => access.changeable) ?? [];

/** The group that the user has in all changeable companies; empty if they differ or there is none. */
export function commonGroup(user: ExistingUser): GroupChoice {
  const roles = new Set(changeableAccesses(user).map(({ role }) => role));
  const [only] = roles;
  return only && roles.size === 1 ? groupOf(only) : "";
}

export const groupsDiffer = (user: ExistingUser) =>
  commonGroup(user) === "" && changeableAccesses(user).length > 0;

export function initialValues({ user, current }: FormContext): SellerUserValues {
  return {
    name: user?.name ?? "",
    email: user?.email ?? "",
    password: "",
    document: user?.document ?? "",
    active: user?.active ?? true,
    role_id: user ? commonGroup(user) : "",
    businesses_ids: user ? changeableAccesses(user).map(({ id }) => id) : current ? [current] : [],
  };
}

/** Whether the form has a group and companies. For an existing user, staff change them in AccessPanel instead. */
export const asksAccess = ({ user, companies }: FormContext) => !user || companies !== undefined;

/** The messages of an invalid group or of invalid companies. */
type AccessFaults = Partial<Record<"role_id" | "businesses_ids", string>>;

export function accessFaults(values: SellerUserValues, context: FormContext): AccessFaults {
  const { user, companies } = context;
  if (!asksAccess(context)) return {};
  const { role_id, businesses_ids } = values;
  const roleIn = (id: string) => user?.businesses.find((access) => access.id === id)?.role;
  const needsGroup = role_id === "" && (!user || businesses_ids.some((id) => !roleIn(id)));
  const otherAccesses = user
    ? user.businesses.length - changeableAccesses(user).length + (user.other_businesses ?? 0)
    : 0;
  const role = roleOf(role_id);
  const notManaged =
    role &&
    companies &&
    businesses_ids.some((id) => !canManage(companies.find((own) => own.id === id)?.role, role));
  return {
    ...(needsGroup ? { role_id: words.groupRequired } : notManaged && { role_id: words.groupNotYours }),
    ...(businesses_ids.length + otherAccesses === 0 && { businesses_ids: words.businessRequired }),
  };
}

export function sellerUserSchema(context: FormContext) {
  const locked = context.user?.editable === false;
  const unlessLocked = (field: z.ZodMiniString) => (locked ? z.string() : field);
  return z
    .object({
      name: unlessLocked(nameField),
      email: unlessLocked(emailField),
      password: unlessLocked(context.user ? optionalPasswordField : newPasswordField),
      document: unlessLocked(cpfField),
      active: z.boolean(),
      role_id: z.string(),
      businesses_ids: z.array(z.string()),
    })
    .check((payload) => {
      const faults = accessFaults(payload.value as SellerUserValues, context);
      for (const [field, message] of Object.entries(faults)) {
        payload.issues.push({ code: "custom", message, input: payload.value, path: [field] });
      }
    });
}

export function creation(values: SellerUserValues) {
  const { name, email, password, document, active, role_id, businesses_ids } = values;
  if (role_id === "") throw new Error("a user is created with a group");
  return {
    name: name.trim(),
    email: email.trim(),
    password,
    document,
    active,
    role_id: idOf(role_id),
    businesses_ids,
  };
}

const sameIds = (some: readonly string[], others: readonly string[]) =>
  some.length === others.length && some.every((id) => others.includes(id));

/** The changed fields that the signed-in user may change. A change of the group or the companies sends both. */
export function changes(values: SellerUserValues, context: FormContext & { user: ExistingUser }) {
  const { user } = context;
  const { name, email } = { name: values.name.trim(), email: values.email.trim() };
  const dataChanges = user.editable !== false && {
    ...(name !== user.name && { name }),
    ...(email.toLowerCase() !== user.email.toLowerCase() && { email }),
    ...(values.password !== "" && { password: values.password }),
    ...(values.document !== user.document && { document: values.document }),
    ...(values.active !== user.active && { active: values.active }),
  };
  const { role_id, businesses_ids } = values;
  const before = initialValues(context);
  const accessChanged = role_id !== before.role_id || !sameIds(businesses_ids, before.businesses_ids);
  return {
    ...dataChanges,
    ...(asksAccess(context) &&
      accessChanged && { businesses_ids, ...(role_id !== "" && { role_id: idOf(role_id) }) }),
  };
}
