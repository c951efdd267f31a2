// The common behavior of screens: a failing page, a missing file, a list that cannot be read, a spreadsheet, and the
// order of a list on a phone.
import { expect } from "@playwright/test";
import * as sheets from "../src/api/sheets.json";
import { fileName } from "../src/format/fileName";
import { shortCode } from "../src/format/text";
import { now } from "./clock";
import { api } from "./panel";
import { checkScreen, PHONE } from "./screen-checks";
import { test } from "./signed-in";
import { centsOf, exportSheet } from "./spreadsheet";
import { stateOf } from "./story-users";

test.use({ storageState: stateOf("owner") });

test("a failing page keeps its frame and can be retried", async ({ page }) => {
  await page.route("**/api/overview?**", (route) => route.fulfill({ json: { today: "2026-11-21" } }));
  await page.goto("/");
  const crash = page.getByRole("alert").filter({ hasText: "Esta tela parou de funcionar" });
  await expect(crash).toBeVisible();
  const navigation = page.getByRole("navigation", { name: "Navegação principal" });
  await navigation.getByRole("link", { name: "Vendas" }).click();
  await expect(page.getByRole("table", { name: "Lista de vendas" })).toBeVisible();
  await navigation.getByRole("link", { name: "Início" }).click();
  await expect(crash).toBeVisible();
  await page.unroute("**/api/overview?**");
  await crash.getByRole("button", { name: "Tentar de novo" }).click();
  await expect(page.getByText("Disponível", { exact: true })).toBeVisible();
});

test("a page whose file is missing reloads the panel after six seconds", async ({ page }) => {
  await page.clock.install();
  await page.route("**/assets/SalesPage-*.js", (route) => route.abort());
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Início" })).toBeVisible();
  await page
    .getByRole("navigation", { name: "Navegação principal" })
    .getByRole("link", { name: "Vendas" })
    .click();
  await expect(page.getByText("Loading...")).toBeVisible();
  await page.unroute("**/assets/SalesPage-*.js");
  const reloaded = page.waitForEvent("load");
  await page.clock.fastForward(6000);
  await reloaded;
  await expect(page.getByRole("heading", { name: "Vendas" })).toBeVisible();
});

test("a list shows a skeleton while it loads, and a message if it cannot be read", async ({ page }) => {
  let answer: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/api/transactions?**", async (route) => {
    await held;
    await route.abort();
  });
  await page.goto("/vendas");
  const table = page.getByRole("table", { name: "Lista de vendas" });
  await expect(table).toHaveAttribute("aria-busy", "true");
  // The header and 20 placeholders, which screen readers do not read.
  await expect(table.getByRole("row", { includeHidden: true })).toHaveCount(21);
  await expect(table.getByRole("row")).toHaveCount(1);
  // The tests' browser asks for less motion, so nothing pulses or turns. The style sheet shortens animations to
  // 0.01 ms, but they count as running until the next frame.
  const endTimes = await page.evaluate(() =>
    document.getAnimations().map((animation) => animation.effect?.getComputedTiming().endTime),
  );
  expect(endTimes.filter((milliseconds) => Number(milliseconds) > 1)).toEqual([]);
  answer();
  const alert = page.getByRole("alert").filter({ hasText: "Não foi possível carregar" });
  await expect(alert).toContainText("Sem conexão com o servidor");
  await page.unroute("**/api/transactions?**");
  await alert.getByRole("button", { name: "Tentar de novo" }).first().click();
  await expect(table.getByRole("row")).toHaveCount(21);
});

test("the spreadsheet has the filtered list, to the cent", async ({ page }) => {
  const { businesses } = await api.me(page);
  const query = { business_id: businesses[0]?.id ?? "", status: "succeeded", paymentType: "pix" };
  await page.goto("/vendas?status=succeeded&paymentType=pix");
  await expect(page.getByRole("table", { name: "Lista de vendas" })).toHaveAttribute("aria-busy", "false");
  const { file, titles, rows, ...saved } = await exportSheet(page);
  expect(file).toBe(`${fileName("vendas", businesses[0]?.name, now())}.xlsx`);
  expect([saved.sheets, titles]).toEqual([["Sheet1"], Object.values(sheets.sales)]);
  const expected = await api.sales(page, { ...query, perPage: 100 });
  const totals = await api.totals(page, query);
  expect(rows).toHaveLength(expected.meta.total);
  expect(rows.slice(0, 100).map((row) => [row.Venda, row.Pagamento, centsOf(row["Valor bruto"])])).toEqual(
    expected.data.map(({ id, amount }) => [shortCode(id), "PIX", amount]),
  );
  expect(rows.reduce((sum, row) => sum + centsOf(row["Valor líquido"]), 0)).toBe(totals.net);
});

test.describe("on a phone", () => {
  test.use({ viewport: PHONE });

  test("filters are behind a button that counts them, and a chip removes each", async ({ page }) => {
    await page.goto("/vendas?paymentType=credit");
    const button = page.getByRole("button", { name: /^Filtros/ });
    await expect(button).toHaveText("Filtros1");
    await expect(page.getByRole("combobox", { name: "Status" })).toHaveCount(0);
    await button.click();
    await expect(button).toHaveAttribute("aria-expanded", "true");
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Aprovado" }).click();
    await expect(page).toHaveURL(/status=succeeded/);
    const chips = page.getByRole("list", { name: "Filtros escolhidos" });
    await expect(chips.getByRole("button")).toHaveCount(3);
    await checkScreen(page, "filters", [PHONE]);
    await chips.getByRole("button", { name: "Pagamento: Crédito" }).click();
    await expect(page).not.toHaveURL(/paymentType/);
    await chips.getByRole("button", { name: "Limpar filtros" }).click();
    await expect(page).not.toHaveURL(/status/);
    await expect(chips).toHaveCount(0);
  });

  test("a button reverses the order of a list on a phone", async ({ page }) => {
    await page.goto("/vendas");
    await page.getByRole("button", { name: "Data mais recente primeiro" }).click();
    await expect(page).toHaveURL(/order=asc/);
    await expect(page.getByRole("button", { name: "Data mais antiga primeiro" })).toBeVisible();
  });
});
