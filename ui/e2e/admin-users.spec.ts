// Admin users: created, changed, deactivated and deleted, and the users for whom these actions are disabled.
import { expect } from "@playwright/test";
import { staffUrl } from "./panel";
import { test } from "./signed-in";
import { administrator, platformOwner, stateOf } from "./story-users";
import { fillUser, flashMessage, form, history, newUser, openUser } from "./users";

test.use({ storageState: stateOf("administrator") });

test("an admin user is created, changed, deactivated and deleted", async ({ page, baseURL }) => {
  const { document: _, ...ivo } = newUser("Ivo Sales");
  await page.goto(`${staffUrl(baseURL)}/ajustes/usuarios`);
  await page.getByRole("button", { name: "Novo usuário" }).click();
  const modal = form(page, "Novo usuário administrativo");
  const send = modal.getByRole("button", { name: "Criar usuário" });
  await send.click();
  for (const message of [
    "Nome é requerido.",
    "Email é requerido.",
    "Senha é requerida.",
    "Selecione o grupo.",
  ]) {
    await expect(modal.getByText(message, { exact: true })).toBeVisible();
  }
  const groups = modal.getByRole("group", { name: "Grupos" }).getByRole("checkbox");
  await expect(groups).toHaveCount(5);
  await fillUser(modal, ivo);
  for (const group of ["Financeiro", "SAC"]) await modal.getByRole("checkbox", { name: group }).check();
  await send.click();
  await expect(flashMessage(page, `${ivo.name} já pode entrar.`)).toBeVisible();

  await openUser(page, ivo);
  await page.getByRole("button", { name: "Editar" }).click();
  const edit = form(page, "Editar usuário administrativo");
  await edit.getByRole("checkbox", { name: "Financeiro" }).uncheck();
  await edit.getByRole("checkbox", { name: "Supervisor Comercial" }).check();
  await edit.getByRole("button", { name: "Salvar" }).click();
  await expect(flashMessage(page, "Alterações salvas.")).toBeVisible();
  await expect(history(page)).toContainText(/Financeiro, SAC.*Supervisor Comercial, SAC/);

  await page.getByRole("button", { name: "Desativar" }).click();
  await form(page, "Desativar usuário").getByRole("button", { name: "Desativar" }).click();
  await expect(form(page, "Desativar usuário")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Ativar", exact: true })).toBeVisible();
  await page.getByRole("button", { name: "Excluir" }).click();
  await form(page, "Excluir usuário").getByRole("button", { name: "Excluir" }).click();
  await expect(flashMessage(page, `Usuário excluído: ${ivo.name}.`)).toBeVisible();
});

test("administrators cannot delete themselves or change an owner", async ({ page, baseURL }) => {
  await page.goto(`${staffUrl(baseURL)}/ajustes/usuarios`);
  await openUser(page, administrator);
  await expect(page.getByText("Este é o seu usuário.")).toBeVisible();
  const own = "Você não pode desativar nem excluir seu próprio usuário, nem mudar o grupo dele.";
  await expect(page.getByRole("button", { name: "Desativar" })).toHaveAccessibleDescription(own);
  await expect(page.getByRole("button", { name: "Excluir" })).toHaveAccessibleDescription(own);
  await page.getByRole("link", { name: "Voltar para os usuários" }).click();
  await openUser(page, platformOwner);
  const owners = "Só um proprietário pode alterar outro proprietário.";
  for (const action of ["Editar", "Desativar", "Excluir"]) {
    await expect(page.getByRole("button", { name: action })).toHaveAccessibleDescription(owners);
  }
  await page.getByRole("button", { name: "Desativar" }).press("Enter");
  await expect(page.getByRole("dialog")).toHaveCount(0);
});
