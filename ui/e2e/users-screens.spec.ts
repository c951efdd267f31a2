// The screens and modals of users: WCAG 2.2 AA in both themes, and no overflow at 390, 768 and 1440 px.
import { expect, type Page } from "@playwright/test";
import { staffUrl } from "./panel";
import { checkScreen, DESKTOP, PHONE } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { form } from "./users";

async function openList(page: Page, address: string, title: string) {
  await page.setViewportSize(DESKTOP);
  await page.goto(address);
  await expect(page.getByRole("link", { name: /^Abrir o usuário/ }).first()).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(` \\| ${title}$`));
}

/** The list's form, with the errors of its empty fields. */
async function checkForm(page: Page, title: string) {
  await page.getByRole("button", { name: "Novo usuário" }).click();
  const modal = form(page, title);
  await modal.getByRole("button", { name: "Criar usuário" }).click();
  await expect(modal.getByText("Nome é requerido.")).toBeVisible();
  await checkScreen(page, title);
  await modal.getByRole("button", { name: "Cancelar" }).click();
  await page.setViewportSize(DESKTOP);
}

async function openLast(page: Page) {
  await page
    .getByRole("link", { name: /^Abrir o usuário/ })
    .last()
    .click();
  await expect(page.getByRole("list", { name: "Alterações e acessos" })).toBeVisible();
}

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the screens of users are accessible and do not overflow", async ({ page }) => {
    await openList(page, "/usuarios", "Usuários");
    await checkScreen(page, "Usuários");
    await checkForm(page, "Novo usuário");
    await openLast(page);
    await checkScreen(page, "one user");
  });
});

/** The screens that differ for staff: columns, a search of companies, and admin users. */
test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("the screens of seller users and admin users are accessible and do not overflow", async ({
    page,
    baseURL,
  }) => {
    await openList(page, `${staffUrl(baseURL)}/usuarios`, "Usuários");
    await checkScreen(page, "Usuários", [DESKTOP]);
    await openLast(page);
    await page.getByRole("button", { name: "Dar acesso a outra empresa" }).click();
    await expect(form(page, "Dar acesso a outra empresa")).toBeVisible();
    await checkScreen(page, "Dar acesso a outra empresa");
    await openList(page, `${staffUrl(baseURL)}/ajustes/usuarios`, "Usuários administrativos");
    await checkForm(page, "Novo usuário administrativo");
    await openLast(page);
    await checkScreen(page, "one admin user", [PHONE]);
  });
});
