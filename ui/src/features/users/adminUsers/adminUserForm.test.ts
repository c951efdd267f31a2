import { expect, it } from "vitest";
import {
  type AdminUserValues,
  adminChanges,
  adminCreation,
  adminUserSchema,
  type ExistingAdmin,
  initialAdmin,
  rolesOffered,
} from "./adminUserForm";

const rui: ExistingAdmin = {
  id: "1",
  name: "Rui Campos",
  email: "rui@exemplo.com.br",
  active: true,
  roles: ["sac"],
};

const filled: AdminUserValues = {
  name: "Rui Campos",
  email: "rui@exemplo.com.br",
  password: "demonstracao-1",
  active: true,
  roles: ["sac"],
};

function messages(values: AdminUserValues, user?: ExistingAdmin): Record<string, string> {
  const issues = adminUserSchema(user).safeParse(values).error?.issues ?? [];
  return Object.fromEntries(issues.map(({ path, message }) => [path.join("."), message]));
}

it.each([
  [
    initialAdmin(undefined),
    {
      name: "Nome é requerido.",
      email: "Email é requerido.",
      password: "Senha é requerida.",
      roles: "Selecione o grupo.",
    },
  ],
  [filled, {}],
  [{ ...filled, email: "rui" }, { email: "Email inválido." }],
  [{ ...filled, password: "curta" }, { password: "A senha deve ter pelo menos 8 caracteres" }],
  [{ ...filled, password: "a".repeat(129) }, { password: "A senha deve ter até 128 caracteres" }],
])("%o gets the messages %o", (values, expected) => expect(messages(values)).toEqual(expected));

it("requires no password of an existing user", () =>
  expect(messages({ ...filled, password: "" }, rui)).toEqual({}));

it("offers the five groups, and any other group that the user already has", () => {
  const five = ["admin", "financial", "commercial-supervisor", "commercial", "sac"];
  expect(rolesOffered(undefined)).toEqual(five);
  expect(rolesOffered(rui)).toEqual(five);
  expect(rolesOffered({ ...rui, roles: ["admin", "owner"] })).toEqual(["owner", ...five]);
});

it("sends all of a new admin user", () => {
  expect(adminCreation({ ...filled, name: " Rui Campos ", password: " 1234567 " })).toEqual({
    ...filled,
    password: " 1234567 ",
  });
});

it.each([
  [{}, {}],
  [{ name: "Rui" }, { name: "Rui" }],
  [{ email: " RUI@exemplo.com.br" }, {}],
  [{ password: "outra-senha" }, { password: "outra-senha" }],
  [{ active: false }, { active: false }],
  [{ roles: ["sac", "admin"] }, { roles: ["sac", "admin"] }],
])("a user with %o is saved with %o", (over, sent) => {
  expect(adminChanges({ ...initialAdmin(rui), ...over }, rui)).toEqual(sent);
});

it("sends no groups if only their order differs", () => {
  const both = { ...rui, roles: ["sac", "admin"] };
  expect(adminChanges({ ...initialAdmin(both), roles: ["admin", "sac"] }, both)).toEqual({});
});
