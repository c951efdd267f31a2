// Seller users: created, changed, deactivated, and given access, each by the roles that may.
import { expect } from "@playwright/test";
import type { components } from "../src/api/schema";
import * as sheets from "../src/api/sheets.json";
import { fileName } from "../src/format/fileName";
import { now } from "./clock";
import { getFromPage, openHost, sendFromPage, signIn, staffUrl } from "./panel";
import { signedInState, test } from "./signed-in";
import { exportSheet } from "./spreadsheet";
import { adminAndOperator, owner, stateOf } from "./story-users";
import { chooseGroup, fillUser, flashMessage, form, history, newUser, openUser } from "./users";

type Schemas = components["schemas"];

const companyOf = (member: typeof owner, role: string) =>
  member.access.find((access) => access.role === role)?.name ?? "";

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the form reports missing fields, then creates a user who appears in the list", async ({ page }) => {
    const nina = newUser("Nina Castro");
    await page.goto("/configuracoes/usuarios");
    await page.getByRole("button", { name: "Novo usuário" }).click();
    const modal = form(page, "Novo usuário");
    const send = modal.getByRole("button", { name: "Criar usuário" });
    await modal.getByRole("checkbox", { name: companyOf(owner, "owner") }).uncheck();
    await send.click();
    for (const message of [
      "Nome é requerido.",
      "Email é requerido.",
      "Senha é requerida.",
      "CPF é requerido.",
      "Selecione o grupo.",
      "Selecione pelo menos uma empresa",
    ]) {
      await expect(modal.getByText(message, { exact: true })).toBeVisible();
    }
    await fillUser(modal, { ...nina, email: "nina", password: "curta", document: "02681177560" });
    await expect(modal.getByRole("textbox", { name: "CPF" })).toHaveValue("026.811.775-60");
    await send.click();
    await expect(modal.getByText("Email inválido.")).toBeVisible();
    await expect(modal.getByText("A senha deve ter pelo menos 8 caracteres")).toBeVisible();
    await expect(modal.getByText("CPF inválido.")).toBeVisible();
    await fillUser(modal, { password: "a".repeat(129) });
    await send.click();
    await expect(modal.getByText("A senha deve ter até 128 caracteres")).toBeVisible();

    await chooseGroup(page, modal, "Operador");
    await modal.getByRole("checkbox", { name: companyOf(owner, "owner") }).check();
    await fillUser(modal, { ...nina, email: owner.email });
    await send.click();
    await expect(modal.getByRole("alert")).toContainText(
      "Não foi possível salvar com estes dados. Confira cada um; se estiverem certos, fale com o suporte.",
    );
    await fillUser(modal, nina);
    await send.click();
    await expect(flashMessage(page, `${nina.name} já pode entrar.`)).toBeVisible();

    await page.getByRole("textbox", { name: "Buscar" }).fill(nina.email);
    await expect(page).toHaveURL(/search=/);
    await expect(page.getByRole("cell", { name: nina.email })).toBeVisible();
    const { file, titles, rows } = await exportSheet(page);
    expect(file).toBe(`${fileName("usuarios", companyOf(owner, "owner"), now())}.xlsx`);
    expect([titles, rows.map((row) => row["E-mail"])]).toEqual([Object.values(sheets.team), [nina.email]]);
    await openUser(page, nina);
    await expect(history(page)).toContainText(`${owner.name} criou o usuário`);
    await page.getByRole("link", { name: "Voltar para os usuários" }).click();
    await expect(page).toHaveURL(/\/configuracoes\/usuarios\?.*search=/);
  });

  test("changes appear in the audit log, and a deactivated user is signed out at the next click", async ({
    page,
    browser,
    baseURL,
  }) => {
    await page.goto("/usuarios");
    await expect(page.getByRole("heading", { name: "Usuários" })).toBeVisible();
    const { businesses } = await getFromPage<Schemas["Seller"]>(page, "/sellers/me");
    const caio = newUser("Caio Prado");
    const businesses_ids = [businesses[0]?.id ?? ""];
    await sendFromPage(page, "POST", "/business/sellers", { ...caio, role_id: 2, businesses_ids });

    const theirs = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
    await theirs.goto(`${baseURL}/login`);
    await signIn(theirs, caio);
    await theirs.getByRole("button", { name: "Páginas de Ajustes" }).click();
    await theirs.getByRole("link", { name: "Usuários", exact: true }).click();
    await expect(theirs.getByRole("heading", { name: "Usuários" })).toBeVisible();

    await page.reload();
    await openUser(page, caio);
    await expect(history(page)).toContainText("(o próprio usuário) entrou no painel");
    await page.getByRole("button", { name: "Editar" }).click();
    const modal = form(page, "Editar usuário");
    await expect(modal.getByText("Deixe em branco para manter a senha atual.")).toBeVisible();
    const renamed = caio.name.replace("Prado", "Ferraz");
    await fillUser(modal, { name: renamed, document: "03309232778" });
    await chooseGroup(page, modal, "Operador");
    await modal.getByRole("button", { name: "Salvar" }).click();
    await expect(flashMessage(page, "Alterações salvas.")).toBeVisible();
    await expect(page.getByRole("heading", { name: renamed, level: 1 })).toBeVisible();
    await expect(history(page)).toContainText(/026\.811\.775-61.*033\.092\.327-78/);
    await expect(history(page)).toContainText(/alterou o grupo em .+ de Administrador para Operador/);
    // After the change, the user's open panel no longer offers the pages that the new group may not open.
    await theirs
      .getByRole("link", { name: /^Abrir o usuário/ })
      .first()
      .click();
    await expect(theirs.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
    await expect(theirs.getByRole("link", { name: "Minha conta" })).toBeVisible();
    await expect(theirs.getByRole("link", { name: "Usuários" })).toHaveCount(0);

    await page.getByRole("button", { name: "Desativar" }).click();
    const question = form(page, "Desativar usuário");
    await expect(question).toContainText("perde o acesso imediatamente");
    await question.getByRole("button", { name: "Desativar" }).click();
    await expect(flashMessage(page, "Usuário desativado.")).toBeVisible();
    await expect(history(page)).toContainText("desativou o usuário");
    await theirs.getByRole("link", { name: "Vendas" }).click();
    await expect(theirs.getByRole("heading", { name: "Acesse sua conta" })).toBeVisible();
    await theirs.context().close();

    await page.getByRole("button", { name: "Excluir" }).click();
    await form(page, "Excluir usuário").getByRole("button", { name: "Excluir" }).click();
    await expect(flashMessage(page, `Usuário excluído: ${renamed}.`)).toBeVisible();
    await expect(page.getByText("Nenhum usuário com esses filtros")).toBeVisible();
  });

  test("confirming a deactivation never activates a user who was deactivated meanwhile", async ({ page }) => {
    await page.goto("/usuarios");
    const { businesses } = await getFromPage<Schemas["Seller"]>(page, "/sellers/me");
    const lia = newUser("Lia Moura");
    const businesses_ids = [businesses[0]?.id ?? ""];
    await sendFromPage(page, "POST", "/business/sellers", { ...lia, role_id: 2, businesses_ids });
    await page.reload();
    await openUser(page, lia);
    const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
    await page.getByRole("button", { name: "Desativar" }).click();
    const question = form(page, "Desativar usuário");
    await sendFromPage(page, "PATCH", `/business/sellers/${id}`, { active: false });
    // The page reads the user again when the network is back.
    await expect(async () => {
      await page.evaluate(() => window.dispatchEvent(new Event("online")));
      await expect(page.getByText("Inativo", { exact: true }).first()).toBeVisible({ timeout: 500 });
    }).toPass();
    await question.getByRole("button", { name: "Desativar" }).click();
    await expect(flashMessage(page, "Usuário desativado.")).toBeVisible();
    const { active } = await getFromPage<{ active: boolean }>(page, `/business/users/${id}`);
    expect(active).toBe(false);
  });
});

/** The administrator of one company changes a user who belongs to that company and to another. */
test.describe("for an administrator of one company", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("only operators can be created, and only the access of a shared user can change", async ({
    page,
    browser,
    baseURL,
  }) => {
    const managed = companyOf(adminAndOperator, "admin");
    const vera = newUser("Vera Lins");
    const staff = await (
      await browser.newContext({ storageState: await signedInState(browser, baseURL, "platformOwner") })
    ).newPage();
    await openHost(staff, staffUrl(baseURL));
    const { data } = await getFromPage<Schemas["BusinessOptions"]>(staff, "/admin/businesses/list");
    const at = (name: string) => data.find((business) => business.name === name)?.id ?? "";
    const businesses_ids = [at(managed), at(companyOf(owner, "owner"))];
    await sendFromPage(staff, "POST", "/admin/sellers", { ...vera, role_id: 7, businesses_ids });
    await staff.context().close();

    await page.context().addCookies([{ name: "current_business", value: at(managed), url: baseURL ?? "" }]);
    await page.goto("/usuarios");
    await page.getByRole("button", { name: "Novo usuário" }).click();
    const create = form(page, "Novo usuário");
    await create.getByRole("combobox", { name: "Grupo" }).click();
    await expect(page.getByRole("option")).toHaveText(["Operador"]);
    await page.keyboard.press("Escape");
    await expect(create.getByRole("group", { name: "Empresas" }).getByRole("checkbox")).toHaveCount(1);
    await create.getByRole("button", { name: "Cancelar" }).click();

    await openUser(page, vera);
    const reason = "Só quem administra todas as empresas deste usuário pode alterar esses dados.";
    await expect(page.getByRole("button", { name: "Excluir" })).toHaveAccessibleDescription(reason);
    await page.getByRole("button", { name: "Editar" }).click();
    const edit = form(page, "Editar usuário");
    await expect(edit).toContainText(reason);
    for (const field of ["Nome", "E-mail", "CPF"]) {
      await expect(edit.getByRole("textbox", { name: field })).not.toBeEditable();
    }
    await expect(edit.getByRole("checkbox", { name: "Ativo" })).toBeDisabled();
    await edit.getByRole("checkbox", { name: managed }).uncheck();
    await edit.getByRole("button", { name: "Salvar" }).click();
    // The user is no longer visible, so the list opens.
    await expect(page).toHaveURL(/\/usuarios\?.*search=/);
    await expect(flashMessage(page, "Alterações salvas.")).toBeVisible();
  });
});

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("a user of any company is created, given another company, and removed from it", async ({
    page,
    baseURL,
  }) => {
    const [first, second] = [companyOf(owner, "owner"), companyOf(adminAndOperator, "admin")];
    const rosa = newUser("Rosa Melo");
    await page.goto(`${staffUrl(baseURL)}/usuarios`);
    await page.getByRole("button", { name: "Novo usuário" }).click();
    const modal = form(page, "Novo usuário");
    await fillUser(modal, rosa);
    await chooseGroup(page, modal, "Proprietário");
    await modal.getByRole("textbox", { name: "Buscar empresa" }).fill(first);
    await modal.getByRole("checkbox", { name: first }).check();
    await modal.getByRole("button", { name: "Criar usuário" }).click();
    await expect(flashMessage(page, `${rosa.name} já pode entrar.`)).toBeVisible();

    await openUser(page, rosa);
    const accesses = page.getByRole("list", { name: "Acessos", exact: true });
    await expect(accesses.getByRole("listitem")).toHaveText([/Proprietário, desde/]);
    await page.getByRole("button", { name: "Dar acesso a outra empresa" }).click();
    const grant = form(page, "Dar acesso a outra empresa");
    await grant.getByRole("button", { name: "Dar acesso" }).click();
    await expect(grant.getByText("Selecione o grupo.")).toBeVisible();
    await grant.getByRole("combobox", { name: "Empresa" }).fill(second);
    await page.getByRole("option", { name: second }).click();
    await chooseGroup(page, grant, "Operador");
    await grant.getByRole("button", { name: "Dar acesso" }).click();
    await expect(flashMessage(page, `Acesso a ${second} concedido.`)).toBeVisible();
    await page.getByRole("button", { name: `Mudar grupo em ${second}` }).click();
    const change = form(page, "Mudar grupo");
    await chooseGroup(page, change, "Administrador");
    await change.getByRole("button", { name: "Mudar grupo" }).click();
    await expect(accesses.getByRole("listitem").filter({ hasText: second })).toContainText("Administrador");
    await page.getByRole("button", { name: `Remover acesso a ${second}` }).click();
    await form(page, "Remover acesso").getByRole("button", { name: "Remover" }).click();
    await expect(accesses.getByRole("listitem")).toHaveCount(1);
    for (const line of [
      `deu acesso a ${second} como Operador`,
      `alterou o grupo em ${second} de Operador para Administrador`,
      `removeu o acesso a ${second}`,
    ]) {
      await expect(history(page)).toContainText(line);
    }
  });
});
