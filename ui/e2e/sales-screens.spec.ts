// The screens and modals of sales: WCAG 2.2 AA in both themes, and no overflow at 390, 768 and 1440 px.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { api, chooseBusiness, getFromPage, openWithinPanel, staffUrl } from "./panel";
import { approvedSale, button, confirm, dialog, preview, type SaleRow } from "./reversals";
import { checkScreen, expectFitsAllSizes } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

/** Some statuses in which a sale cannot be reversed again. */
const REVERSED = ["canceled", "dispute", "charged_back"];

async function checkModals(page: Page) {
  await checkScreen(page, "sale");
  await page.getByRole("button", { name: "Por que esse valor?" }).first().click();
  await expect(page.getByRole("dialog")).toContainText("Calculado pelo plano");
  await checkScreen(page, "explanation");
  await page.keyboard.press("Escape");
  for (const reversal of ["cancel", "dispute"] as const) {
    await button(page, reversal).click();
    await expect(preview(page)).toBeVisible();
    await checkScreen(page, reversal);
    await dialog(page, reversal).getByRole("button", { name: "Voltar" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  }
}

/** A canceled sale with accelerated installments: the widest table of a sale. */
async function acceleratedSale(page: Page, business_id: string): Promise<string> {
  const { data } = await api.sales(page, {
    business_id,
    status: "canceled",
    paymentType: "credit",
    perPage: 100,
  });
  for (const { id } of data) {
    const { receivables } = await api.sale(page, id, business_id);
    if (receivables.some(({ status }) => status === "accelerated")) return id;
  }
  throw new Error("the story has no canceled sale with accelerated installments");
}

/** A sale whose dispute the balance of its company covers. */
async function coveredSale(page: Page): Promise<string> {
  const { data } = await getFromPage<{ data: { id: string }[] }>(page, "/admin/transactions", {
    status: "succeeded",
    perPage: 50,
  });
  for (const { id } of data) {
    const path = `/admin/transactions/${id}/dispute/preview`;
    const { covered } = await getFromPage<components["schemas"]["ReversalPreview"]>(page, path, {});
    if (covered) return id;
  }
  throw new Error("the story has no sale whose dispute is covered");
}

/** Whether nothing covers the element's center. The content of a long modal scrolls under its title. */
function isUncovered(element: Element): boolean {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}

/** The answers of a reversal, mocked so that the sale does not change. */
async function checkAnswers(page: Page, sale: components["schemas"]["SaleDetail"]) {
  const path = `**/transactions/${sale.id}/chargeback?**`;
  const answer = async (status: number, json: object) => {
    await page.route(path, (route) => route.fulfill({ status, json }), { times: 1 });
    await button(page, "cancel").click();
    await confirm(page, "cancel").click();
  };
  await answer(409, { message: "A venda não está aprovada" });
  const alert = dialog(page, "cancel").getByRole("alert");
  await expect(alert).toContainText("A venda não está aprovada");
  await expect.poll(() => alert.evaluate(isUncovered)).toBe(true);
  await checkScreen(page, "refused");
  await dialog(page, "cancel").getByRole("button", { name: "Voltar" }).click();
  const balance = { needed: 29100, available: 100, covered_on: "2026-12-23" };
  await answer(406, { message: "", balance });
  await expect(page.getByRole("heading", { name: /^O saldo disponível não é suficiente/ })).toBeVisible();
  await checkScreen(page, "insufficient balance");
  await page.getByRole("button", { name: "Voltar para a Venda" }).click();
  await answer(200, sale);
  await expect(page.getByRole("heading", { name: "Venda cancelada" })).toBeVisible();
  await checkScreen(page, "done");
  await page.getByRole("button", { name: "Voltar para a Venda" }).click();
}

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("a sale and its modals are accessible and do not overflow", async ({ page }) => {
    const { businesses } = await api.me(page);
    const business_id = businesses[0]?.id ?? "";
    const { available } = await api.balance(page, business_id);
    const isCovered = ({ amount }: SaleRow) => amount < available;
    const sale = await approvedSale(page, business_id, { paymentType: "credit" }, isCovered);
    await page.goto(`/vendas/${sale.id}`);
    await checkModals(page);
    await checkAnswers(page, await api.sale(page, sale.id, business_id));
    for (const status of REVERSED) {
      const { data } = await api.sales(page, { business_id, status, perPage: 1 });
      expect(data, status).toHaveLength(1);
      await page.goto(`/vendas/${data[0]?.id}`);
      await expect(button(page, "cancel")).toHaveAttribute("aria-disabled", "true");
      await button(page, "cancel").focus();
      await expect(page.getByRole("tooltip")).toBeVisible();
      await checkScreen(page, status);
    }
  });
});

test.describe("for an administrator whose plan has advances", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("accelerated installments and the cost of an advance fit", async ({ page, baseURL }) => {
    const business_id = await chooseBusiness(page, baseURL, "admin");
    await page.goto(`/vendas/${await acceleratedSale(page, business_id)}`);
    await expect(page.getByText(/^em \d/).first()).toBeVisible();
    await expectFitsAllSizes(page, "accelerated installments");
    await page.getByRole("button", { name: "Por que esse valor?" }).first().click();
    await expect(page.getByRole("dialog")).toContainText("Soma do custo de antecipar");
    await expectFitsAllSizes(page, "cost of an advance");
  });
});

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("the sales of all companies are accessible and do not overflow", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    await page.goto(`${home}/vendas`);
    await expect(page.getByRole("link", { name: /^Abrir a venda / }).first()).toBeVisible();
    await expect(page).toHaveTitle(/^.+ \| Vendas$/);
    await checkScreen(page, "sales of all companies");
    await openWithinPanel(page, new URL(`${home}/vendas/${await coveredSale(page)}`));
    await expect(page.getByRole("region", { name: "Linha do tempo" })).toBeVisible();
    await checkModals(page);
  });
});
