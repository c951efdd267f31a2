// The screens and modals of balances, withdrawals and exceptions: WCAG 2.2 AA in both themes, and no overflow at 390,
// 768 and 1440 px.
import { expect, type Page } from "@playwright/test";
import { getFromPage, openWithinPanel, staffUrl } from "./panel";
import { checkReopenedScreen, checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { form, openForm, send } from "./withdrawals";

async function checkSeller(page: Page) {
  await expect(page.getByRole("img", { name: /evolução do saldo/ })).toBeVisible();
  await checkScreen(page, "finance");
  await page.getByText("Tabela", { exact: true }).click();
  await page.getByRole("tab", { name: "Saques" }).click();
  await expect(page.getByRole("region", { name: "Lista de saques e cobranças" })).toHaveCount(1);
  await checkScreen(page, "withdrawals of the seller");
  await openForm(page);
  await checkScreen(page, "request");
  await send(page).click();
  await expect(form(page).getByText("A senha é requerida.")).toBeVisible();
  await checkScreen(page, "request refused");
}

async function checkStaff(page: Page, home: string) {
  await page.goto(`${home}/saques`);
  // The story has withdrawals.
  const actions = page.getByRole("button", { name: /^Ações: / });
  await expect(actions.first()).toBeVisible();
  await checkScreen(page, "queue");
  await page
    .getByRole("checkbox", { name: /^Selecionar saque/ })
    .first()
    .check();
  await checkReopenedScreen(page, "queue's menu", async () => {
    await actions.first().click();
    await expect(page.getByRole("menuitem", { name: "Recusar" })).toBeVisible();
  });
  const { data } = await getFromPage<{ data: { id: string }[] }>(page, "/admin/businesses/list");
  await openWithinPanel(page, new URL(`${home}/empresas/${data[0]?.id}/saldo`));
  await expect(page.getByRole("button", { name: "Ajuste manual" })).toBeVisible();
  await checkScreen(page, "balance of a company");
  await page.getByRole("button", { name: "Ajuste manual" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Confirmar" }).click();
  await expect(page.getByText("Informe a descrição.")).toBeVisible();
  await checkScreen(page, "manual adjustment");
  await page.goto(`${home}/ajustes/excecoes`);
  await expect(page.getByRole("heading", { name: "Exceções" })).toBeVisible();
  await checkScreen(page, "exceptions");
}

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("Financeiro and its form are accessible and do not overflow", async ({ page }) => {
    await page.goto("/financeiro");
    await checkSeller(page);
  });
});

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("withdrawals, a balance and exceptions are accessible and do not overflow", async ({
    page,
    baseURL,
  }) => {
    await checkStaff(page, staffUrl(baseURL));
  });
});
