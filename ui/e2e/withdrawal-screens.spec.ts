// Every screen and modal of money: WCAG 2.2 AA in both themes, and a fit at 390, 768 and 1440 px.
import { expect, type Page } from "@playwright/test";
import { askHere, expectAccessible, expectFits, SIZES, staffUrl } from "./panel";
import { test } from "./signed-in";
import { stateOf } from "./team";
import { form, openForm, send } from "./withdrawing";

async function check(page: Page, screen: string) {
  await expectAccessible(page, screen);
  await expectFits(page, screen);
}

async function checkSeller(page: Page) {
  await expect(page.getByRole("img", { name: /evolução do saldo/ })).toBeVisible();
  await check(page, "finance");
  await page.getByText("Tabela", { exact: true }).click();
  await page.getByRole("tab", { name: "Saques" }).click();
  await expect(page.getByRole("region", { name: "Lista de saques e cobranças" })).toHaveCount(1);
  await check(page, "withdrawals of the seller");
  await openForm(page);
  await check(page, "request");
  await send(page).click();
  await expect(form(page).getByText("A senha é requerida.")).toBeVisible();
  await check(page, "request refused");
}

async function checkStaff(page: Page, home: string) {
  await page.goto(`${home}/saques`);
  const actions = page.getByRole("button", { name: /^Ações: / });
  await expect(page.getByText(/ de \d+$/).or(page.getByText("Nenhum saque ou cobrança"))).toBeVisible();
  await check(page, "queue");
  if (await actions.count()) {
    await page
      .getByRole("checkbox", { name: /^Selecionar saque/ })
      .first()
      .check();
    await actions.first().click();
    await expect(page.getByRole("menuitem", { name: "Recusar" })).toBeVisible();
    await check(page, "queue's menu");
    await page.keyboard.press("Escape");
  }
  const { data } = await askHere<{ data: { id: string }[] }>(page, "/admin/businesses/list");
  await page.goto(`${home}/empresas/${data[0]?.id}/saldo`);
  await expect(page.getByRole("button", { name: "Ajuste manual" })).toBeVisible();
  await check(page, "balance of a company");
  await page.getByRole("button", { name: "Ajuste manual" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Confirmar" }).click();
  await expect(page.getByText("Informe a descrição.")).toBeVisible();
  await check(page, "manual adjustment");
  await page.goto(`${home}/ajustes/excecoes`);
  await expect(page.getByRole("heading", { name: "Exceções" })).toBeVisible();
  await check(page, "exceptions");
}

for (const viewport of SIZES) {
  test.describe(`at ${viewport.width}`, () => {
    test.describe("for an owner", () => {
      test.use({ viewport, storageState: stateOf("owner") });

      test("Financeiro and its form are accessible and fit", async ({ page }) => {
        test.setTimeout(120_000);
        await page.goto("/financeiro");
        await checkSeller(page);
      });
    });

    test.describe("for staff", () => {
      test.use({ viewport, storageState: stateOf("staff") });

      test("the screens of money are accessible and fit", async ({ page, baseURL }) => {
        test.setTimeout(120_000);
        const home = staffUrl(baseURL);
        await checkStaff(page, home);
      });
    });
  });
}
