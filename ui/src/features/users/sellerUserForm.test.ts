import { expect, it } from "vitest";
import type { SellerRole } from "../../api/models";
import {
  accessFaults,
  changes,
  commonGroup,
  creation,
  type ExistingUser,
  type FormContext,
  groupsDiffer,
  initialValues,
  type SellerUserValues,
  sellerUserSchema,
} from "./sellerUserForm";

const own = (id: string, role: SellerRole) => ({ id, name: id, role });
const access = (id: string, role: SellerRole, changeable = true) => ({ id, name: id, role, changeable });

const filled: SellerUserValues = {
  name: "Nina Castro",
  email: "nina@exemplo.com.br",
  password: "demonstracao-1",
  document: "35162478946",
  active: true,
  role_id: "7",
  businesses_ids: ["mine"],
};

const nina = (over: Partial<ExistingUser> = {}): ExistingUser => ({
  id: "1",
  name: "Nina Castro",
  email: "nina@exemplo.com.br",
  document: "35162478946",
  active: true,
  businesses: [access("mine", "operator")],
  other_businesses: 0,
  editable: true,
  ...over,
});

const companies = [own("mine", "owner"), own("managed", "admin")];
const seller: FormContext = { companies, current: "mine" };

function messages(values: SellerUserValues, context: FormContext): Record<string, string> {
  const issues = sellerUserSchema(context).safeParse(values).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

it("reports every missing field of an empty form", () => {
  expect(messages(initialValues({ companies }), { companies })).toEqual({
    name: "Nome é requerido.",
    email: "Email é requerido.",
    password: "Senha é requerida.",
    document: "CPF é requerido.",
    role_id: "Selecione o grupo.",
    businesses_ids: "Selecione pelo menos uma empresa",
  });
});

it.each([
  [{}, {}],
  [{ email: "nina" }, { email: "Email inválido." }],
  [{ password: "curta" }, { password: "A senha deve ter pelo menos 8 caracteres" }],
  [{ password: "a".repeat(129) }, { password: "A senha deve ter até 128 caracteres" }],
  // A character outside the basic plane counts as one, though it has two UTF-16 units.
  [{ password: "🔑".repeat(7) }, { password: "A senha deve ter pelo menos 8 caracteres" }],
  [{ password: "🔑".repeat(128) }, {}],
  [{ name: "n".repeat(121) }, { name: "O nome deve ter até 120 caracteres." }],
  [{ document: "12345678909" }, { document: "CPF inválido." }],
  [{ document: "35162478900" }, { document: "CPF inválido." }],
  [{ role_id: "" }, { role_id: "Selecione o grupo." }],
  [{ businesses_ids: [] }, { businesses_ids: "Selecione pelo menos uma empresa" }],
  [
    { role_id: "2", businesses_ids: ["mine", "managed"] },
    { role_id: "Você não pode atribuir este grupo nesta empresa." },
  ],
  [{ role_id: "2" }, {}],
] satisfies [Partial<SellerUserValues>, Record<string, string>][])(
  "a new user with %o gets the messages %o",
  (over, expected) => {
    expect(messages({ ...filled, ...over }, seller)).toEqual(expected);
  },
);

it("requires no password of an existing user, and no access in the staff's form", () => {
  const user = nina();
  expect(messages({ ...filled, password: "" }, { ...seller, user })).toEqual({});
  expect(messages({ ...filled, password: "", role_id: "", businesses_ids: [] }, { user })).toEqual({});
});

it("does not validate a field that cannot be changed", () => {
  const user = nina({ editable: false, name: "", document: "" });
  expect(messages({ ...filled, name: "", document: "", password: "" }, { ...seller, user })).toEqual({});
});

it("starts a new user in the current company without a group", () => {
  expect(initialValues(seller)).toMatchObject({ role_id: "", businesses_ids: ["mine"], active: true });
});

it("starts with the group that all companies share, and with none if they differ", () => {
  expect(commonGroup(nina({ businesses: [access("a", "admin"), access("b", "admin")] }))).toBe("2");
  const differing = nina({ businesses: [access("a", "admin"), access("b", "operator")] });
  expect([commonGroup(differing), groupsDiffer(differing)]).toEqual(["", true]);
  const unchangeable = nina({ businesses: [access("a", "owner", false), access("b", "operator")] });
  expect([commonGroup(unchangeable), groupsDiffer(unchangeable)]).toEqual(["7", false]);
  expect(groupsDiffer(nina({ businesses: [access("a", "owner", false)] }))).toBe(false);
});

it("requires a group to add a company, but none to keep differing groups", () => {
  const user = nina({ businesses: [access("mine", "admin"), access("managed", "operator")] });
  const context = { companies: [...companies, own("third", "owner")], user };
  const values = { ...filled, role_id: "" as const, businesses_ids: ["mine", "managed"] };
  expect(accessFaults(values, context)).toEqual({});
  expect(accessFaults({ ...values, businesses_ids: ["mine", "managed", "third"] }, context)).toEqual({
    role_id: "Selecione o grupo.",
  });
});

it("lets the seller remove all of their companies from a user who has others", () => {
  const none = { ...filled, businesses_ids: [] };
  expect(accessFaults(none, { companies, user: nina() })).toHaveProperty("businesses_ids");
  expect(accessFaults(none, { companies, user: nina({ other_businesses: 1 }) })).toEqual({});
  const user = nina({ businesses: [access("mine", "operator"), access("managed", "admin", false)] });
  expect(accessFaults(none, { companies, user })).toEqual({});
});

it("sends all of a new user, with name and e-mail trimmed", () => {
  expect(
    creation({ ...filled, name: " Nina Castro ", email: " nina@exemplo.com.br", password: " 1234567 " }),
  ).toEqual({
    name: "Nina Castro",
    email: "nina@exemplo.com.br",
    password: " 1234567 ",
    document: "35162478946",
    active: true,
    role_id: 7,
    businesses_ids: ["mine"],
  });
});

it.each([
  [{}, {}],
  [{ name: "Nina " }, { name: "Nina" }],
  [{ email: "NINA@exemplo.com.br" }, {}],
  [{ password: "outra-senha" }, { password: "outra-senha" }],
  [{ active: false }, { active: false }],
  [{ role_id: "2" }, { role_id: 2, businesses_ids: ["mine"] }],
  [{ businesses_ids: ["mine", "managed"] }, { role_id: 7, businesses_ids: ["mine", "managed"] }],
] satisfies [Partial<SellerUserValues>, object][])("the change %o sends %o", (over, sent) => {
  const context = { ...seller, user: nina() };
  expect(changes({ ...initialValues(context), ...over }, context)).toEqual(sent);
});

it("sends only the access of a user whose data may not change, and no access from staff", () => {
  const locked = { ...seller, user: nina({ editable: false }) };
  const values = { ...initialValues(locked), name: "Other", role_id: "2" as const };
  expect(changes(values, locked)).toEqual({ role_id: 2, businesses_ids: ["mine"] });
  const staff = { user: nina() };
  expect(changes({ ...initialValues(staff), name: "Other", role_id: "2" }, staff)).toEqual({ name: "Other" });
});

it("sends no group with a removed company if none was chosen", () => {
  const user = nina({ businesses: [access("mine", "admin"), access("managed", "operator")] });
  const context = { companies, user };
  const values = { ...initialValues(context), businesses_ids: ["mine"] };
  expect(changes(values, context)).toEqual({ businesses_ids: ["mine"] });
});
