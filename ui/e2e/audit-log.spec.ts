// The audit log of all records: staff find who changed what, see the values before and after, and export the list.
import { expect } from "@playwright/test";
import { sendFromPage, staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { exportSheet } from "./spreadsheet";
import { platformOwner, stateOf } from "./story-users";
import { form } from "./users";

test.use({ storageState: stateOf("platformOwner") });

const LIST = "Ações registradas";

test("staff find an action by person and kind, open its values and export the list", async ({
  page,
  baseURL,
}) => {
  await page.goto(`${staffUrl(baseURL)}/ajustes`);
  await sendFromPage(page, "POST", "/admin/holidays", { date: "2027-03-15", name: "Dia da auditoria" });
  await page.getByRole("button", { name: "Páginas de Operação" }).click();
  await page.getByRole("link", { name: "Registro de ações" }).click();
  await expect(page).toHaveTitle(/ \| Registro de ações$/);
  const rows = page.getByRole("table", { name: LIST }).getByRole("row");
  await page.getByLabel("Pessoa").fill(platformOwner.email);
  await expect(page).toHaveURL(/person=/);
  await page.getByRole("combobox", { name: "Registro" }).click();
  await page.getByRole("option", { name: "Feriado" }).click();
  await expect(page).toHaveURL(/subject=holiday/);
  const added = rows.filter({ hasText: "Dia da auditoria" });
  await expect(added).toContainText(platformOwner.name);
  await expect(added).toContainText("criou");
  await checkScreen(page, "Registro de ações");

  await added.getByRole("link", { name: /^Abrir: / }).click();
  const modal = form(page, "Feriado");
  await expect(modal).toContainText("15/03/2027");
  await expect(modal).toContainText("Endereço IP");
  await checkScreen(page, "Ação");
  await modal.getByRole("button", { name: "Fechar" }).click();

  const sheet = await exportSheet(page);
  expect(sheet.file).toContain("registro-de-acoes");
  expect(sheet.rows[0]).toMatchObject({ Quem: platformOwner.name, Registro: "Feriado", Ação: "create" });
});

test("who has no right to the log does not reach it", async ({ browser, baseURL }) => {
  const storageState = await signedInState(browser, baseURL, "financial");
  const staff = await (await browser.newContext({ storageState })).newPage();
  await staff.goto(`${staffUrl(baseURL)}/ajustes/registro`);
  await expect(staff.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
  await staff.context().close();
});
