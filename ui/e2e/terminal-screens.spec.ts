// The screens and modals of card machines: WCAG 2.2 AA in both themes, and no overflow at 390, 768 and 1440 px.
import { expect, type Page } from "@playwright/test";
import { chooseItem, staffUrl } from "./panel";
import { checkScreen, DESKTOP } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

const menus = (page: Page) => page.getByRole("button", { name: /^Ações: / });

/** Opens a row's modal, checks it, and closes it. The button `submit` is pressed first, so that errors show. */
async function checkModal(page: Page, item: string, submit?: string) {
  await page.setViewportSize(DESKTOP);
  await menus(page).first().click();
  await chooseItem(page.getByRole("menuitem", { name: item }));
  const modal = page.getByRole("dialog");
  if (submit) await modal.getByRole("button", { name: submit }).click();
  await expect(modal).toBeVisible();
  await checkScreen(page, item);
  await modal.getByRole("button", { name: "Cancelar" }).click();
  await expect(modal).toBeHidden();
}

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("the terminals' screen and its modals are accessible and do not overflow", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/terminais`);
    await expect(menus(page).first()).toBeVisible();
    await expect(page).toHaveTitle(/ \| Terminais$/);
    await checkScreen(page, "Terminais");
    await checkModal(page, "Mudar empresa", "Mudar empresa");
    await checkModal(page, "Mudar cobrança");
    await checkModal(page, "Remover da empresa");
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: "Habilitar maquininha" }).click();
    const form = page.getByRole("dialog", { name: "Habilitar maquininha" });
    await form.getByRole("button", { name: "Habilitar", exact: true }).click();
    await expect(form.getByText("requerido")).toHaveCount(3);
    await checkScreen(page, "Habilitar maquininha");
    await form.getByRole("button", { name: "Cancelar" }).click();
    await page.setViewportSize(DESKTOP);
    await page
      .getByRole("link", { name: /^Abrir a maquininha / })
      .first()
      .click();
    await expect(page.getByRole("dialog").getByRole("region", { name: "Empresas" })).toBeVisible();
    await checkScreen(page, "a terminal's history");
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("Maquininha, its modal and its sales are accessible and do not overflow", async ({ page }) => {
    await page.goto("/maquininha");
    await expect(menus(page).first()).toBeVisible();
    await expect(page).toHaveTitle(/ \| Maquininha$/);
    await checkScreen(page, "Maquininha");
    await checkModal(page, "Mudar nome");
    await page.goto("/maquininha/vendas");
    await expect(page.getByRole("link", { name: /^Abrir a venda / }).first()).toBeVisible();
    await expect(page).toHaveTitle(/ \| Vendas da maquininha$/);
    await checkScreen(page, "Vendas da maquininha");
  });
});
