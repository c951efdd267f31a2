import { expect, it } from "vitest";
import { companyChoices } from "./companyChoices";
import type { ExistingUser } from "./sellerUserForm";

const companies = [
  { id: "mine", name: "Minha", role: "owner" },
  { id: "managed", name: "Administrada", role: "admin" },
  { id: "served", name: "Atendida", role: "operator" },
] as const;

const user: ExistingUser = {
  id: "1",
  name: "Nina",
  email: "nina@exemplo.com.br",
  document: "35162478946",
  active: true,
  businesses: [{ id: "managed", name: "Administrada", role: "operator", changeable: true }],
};

it.each([
  ["2", ["mine"]],
  ["7", ["mine", "managed"]],
  ["", ["mine", "managed"]],
] as const)("a new user of group '%s' is offered %o", (group, ids) => {
  expect(companyChoices({ companies }, group).map(({ id }) => id)).toEqual(ids);
});

it("offers the companies of an existing user even for a group that cannot be granted there", () => {
  expect(companyChoices({ companies, user }, "2").map(({ id }) => id)).toEqual(["managed", "mine"]);
});

it.each([
  ["owner", "Apenas a equipe da plataforma pode alterar o acesso de um proprietário."],
  ["admin", "Apenas um proprietário da empresa pode alterar o acesso de um administrador."],
] as const)("says why the access of an %s cannot change", (role, reason) => {
  const businesses = [{ id: "mine", name: "Minha", role, changeable: false }];
  expect(companyChoices({ companies, user: { ...user, businesses } }, "")[0]).toEqual({
    id: "mine",
    name: "Minha",
    disabledReason: reason,
    kept: true,
  });
});
