import { expect, it } from "vitest";
import { disabledReasons } from "./disabledReasons";

const member = { active: true, roles: ["sac"], is_self: false, editable: true, removable: true };
const owners = "Só um proprietário pode alterar outro proprietário.";
const lastOwner = "Este é o último proprietário ativo.";
const lastAdmin = "Este é o último administrador ativo.";
const lastOwnerOrAdmin = "Este é o último proprietário ou o último administrador ativo.";
const ownData = "Este é o seu usuário: altere seus dados em Minha conta.";
const self = "Você não pode desativar nem excluir seu próprio usuário, nem mudar o grupo dele.";

it.each([
  [member, {}],
  [
    { ...member, is_self: true },
    { edit: ownData, activation: self, deletion: self },
  ],
  [
    { ...member, roles: ["owner"], editable: false, removable: false },
    { edit: owners, activation: owners, deletion: owners },
  ],
  [
    { ...member, roles: ["owner"], removable: false },
    { activation: lastOwner, deletion: lastOwner },
  ],
  [
    { ...member, roles: ["admin"], removable: false },
    { activation: lastAdmin, deletion: lastAdmin },
  ],
  [
    { ...member, roles: ["owner", "admin"], removable: false },
    { activation: lastOwnerOrAdmin, deletion: lastOwnerOrAdmin },
  ],
])("an admin user %o has the disabled actions %o", (member, expected) =>
  expect(disabledReasons(member)).toEqual(expected),
);

it("allows editing and activating the last owner or administrator", () => {
  for (const role of ["owner", "admin"]) {
    const last = { ...member, roles: [role], removable: false };
    expect(disabledReasons(last).edit).toBeUndefined();
    expect(disabledReasons({ ...last, active: false }).activation).toBeUndefined();
  }
});
