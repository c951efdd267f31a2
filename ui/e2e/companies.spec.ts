// Companies: one is created by the wizard, whose draft survives a reload, and approved; and every screen of companies
// is accessible and fits.
import { expect } from "@playwright/test";
import { staffUrl } from "./panel";
import { checkScreen, DESKTOP } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("the wizard creates a company that waits for its approval", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/empresas/nova`);
    const next = page.getByRole("button", { name: "Continuar" });
    await next.click();
    for (const message of [
      "Nome é requerido.",
      "Email é requerido.",
      "Senha é requerida.",
      "CPF é requerido.",
    ]) {
      await expect(page.getByText(message, { exact: true })).toBeVisible();
    }
    await page.getByLabel("Nome", { exact: true }).fill("Bia Lima");
    await page.getByLabel("E-mail").fill("bia.lima@loja.example");
    await page.getByLabel("CPF").fill("52998224725");
    await page.getByLabel("Senha", { exact: true }).fill("uma-senha-longa");
    await page.reload();
    await expect(page.getByLabel("E-mail"), "the draft").toHaveValue("bia.lima@loja.example");
    await page.getByLabel("Senha", { exact: true }).fill("uma-senha-longa");
    await next.click();
    await page.getByLabel("CNPJ").fill("12ABC34501DE36");
    await page.getByLabel("Razão social").fill("Loja da Bia Ltda");
    await next.click();
    await expect(page.getByText("CNPJ inválido.")).toBeVisible();
    await page.getByLabel("CNPJ").fill("12ABC34501DE35");
    await next.click();
    await page.getByLabel("CEP").fill("01001000");
    await expect(page.getByLabel("Cidade")).toHaveValue("São Paulo");
    await page.getByLabel("Número", { exact: true }).fill("100");
    await next.click();
    await page.getByRole("button", { name: "Criar sem conta bancária" }).click();
    await expect(page.getByRole("heading", { name: "Loja da Bia Ltda" })).toBeVisible();
    await expect(page.getByText("Não definido").first()).toBeVisible();
    await page.getByRole("button", { name: "Aprovar" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Aprovar" }).click();
    await expect(page.getByText("Empresa aprovada.")).toBeVisible();
  });

  test("the screens of companies are accessible and fit", async ({ page, baseURL }) => {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${staffUrl(baseURL)}/empresas`);
    await expect(page.getByRole("link", { name: /^Abrir / }).first()).toBeVisible();
    await expect(page).toHaveTitle(/ \| Empresas$/);
    await checkScreen(page, "Empresas");
    await page
      .getByRole("link", { name: /^Abrir / })
      .first()
      .click();
    await expect(page.getByRole("list", { name: "Usuários" })).toBeVisible();
    await checkScreen(page, "one company");
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: "Adicionar conta" }).click();
    const modal = page.getByRole("dialog", { name: "Adicionar conta bancária" });
    await modal.getByRole("button", { name: "Adicionar conta" }).click();
    await expect(modal.getByText("O Banco é requerido.")).toBeVisible();
    await expect(modal.getByText("O tipo de conta é requerido.")).toBeVisible();
    await checkScreen(page, "Adicionar conta bancária");
    await modal.getByRole("button", { name: "Cancelar" }).click();
    await page.goto(`${staffUrl(baseURL)}/empresas/nova`);
    await checkScreen(page, "Nova empresa");
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the company's data and its bank accounts are accessible and fit", async ({ page }) => {
    await page.goto("/dados-da-empresa");
    await expect(page.getByRole("button", { name: "Editar dados" })).toBeVisible();
    await expect(page).toHaveTitle(/ \| Dados da empresa$/);
    await checkScreen(page, "Dados da empresa");
    await page.goto("/configuracoes/conta-bancaria");
    await expect(page.getByRole("list", { name: "Contas bancárias" })).toBeVisible();
    await checkScreen(page, "Conta bancária");
  });
});
