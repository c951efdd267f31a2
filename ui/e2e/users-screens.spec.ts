// What holds for every screen and modal of users: WCAG 2.2 AA in both themes, and a fit on phone and desk.
import { expect, type Page } from "@playwright/test";
import { expectAccessible, expectFits, SIZES, staffUrl } from "./panel";
import { test } from "./signed-in";
import { stateOf } from "./team";
import { form } from "./users";

async function check(page: Page, screen: string) {
  await expectAccessible(page, screen);
  await expectFits(page, screen);
}

/** The way into a row: a link in the table, or on a phone the whole card. */
const opening = (page: Page) =>
  page
    .getByRole("link", { name: /^Abrir o usuário/ })
    .or(page.getByRole("list", { name: "Lista de usuários" }).getByRole("link"));

/** A list, its form refused in every field, and somebody's page with what it asks. */
async function checkUsers(page: Page, address: string, screen: { title: string; modal: string }) {
  await page.goto(address);
  await expect(opening(page).first()).toBeVisible();
  await expect(page).toHaveTitle(new RegExp(`^.+ \\| ${screen.title}$`));
  await check(page, screen.title);
  await page.getByRole("button", { name: "Novo usuário" }).click();
  const modal = form(page, screen.modal);
  await modal.getByRole("button", { name: "Criar usuário" }).click();
  await expect(modal.getByText("Nome é requerido.")).toBeVisible();
  await check(page, screen.modal);
  await modal.getByRole("button", { name: "Cancelar" }).click();
  await opening(page).last().click();
  await expect(page.getByRole("list", { name: "Alterações e acessos" })).toBeVisible();
  await check(page, "one user");
}

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the users' screens are accessible and fit", async ({ page }) => {
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      await checkUsers(page, "/usuarios", { title: "Usuários", modal: "Novo usuário" });
    }
  });
});

test.describe("for staff", () => {
  test.use({ storageState: stateOf("staff") });

  test("the users' and the team's screens are accessible and fit", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    for (const viewport of SIZES) {
      await page.setViewportSize(viewport);
      await checkUsers(page, `${home}/usuarios`, { title: "Usuários", modal: "Novo usuário" });
      await page.getByRole("button", { name: "Dar acesso a outra empresa" }).click();
      await check(page, "grant");
      await checkUsers(page, `${home}/ajustes/usuarios`, {
        title: "Usuários administrativos",
        modal: "Novo usuário administrativo",
      });
    }
  });
});
