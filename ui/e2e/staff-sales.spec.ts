// The sales of all companies in the staff's panel: the list, reversals, and the ledger's events.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import * as sheets from "../src/api/sheets.json";
import { fileName } from "../src/format/fileName";
import { money } from "../src/format/money";
import { PAYMENT_LINK } from "../src/format/solutions";
import { shortCode } from "../src/format/text";
import { salesStrings } from "../src/strings/pt-BR.sales";
import { now } from "./clock";
import { getFromPage, openHost, staffUrl } from "./panel";
import { button, confirm, dialog, previewBalances, timeline } from "./reversals";
import { test } from "./signed-in";
import { centsOf, exportSheet } from "./spreadsheet";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];

/** The number of the solution in the API. */
const E_COMMERCE = 2;

test.describe("for staff", () => {
  test.use({ storageState: stateOf("administrator") });

  const salesTable = (page: Page) => page.getByRole("table", { name: "Lista de vendas" });

  async function coveredSale(page: Page, paymentType: string, query: Record<string, number> = {}) {
    const { data } = await getFromPage<{ data: Schemas["AdminSaleRow"][] }>(page, "/admin/transactions", {
      status: "succeeded",
      paymentType,
      perPage: 100,
      ...query,
    });
    for (const sale of data) {
      const { totals } = await getFromPage<Schemas["BalanceSummary"]>(page, "/admin/balance/history", {
        business_id: sale.business.id,
        totals: 1,
      });
      if (totals.available >= sale.amount) return { sale, before: totals };
    }
    throw new Error(`no company's balance covers one of its ${paymentType} sales`);
  }

  for (const [reversal, paymentType, title, label, event, account] of [
    ["cancel", "credit", "Venda cancelada", "Cancelado", "SaleCanceled", "Taxas e tarifas da plataforma"],
    ["dispute", "debit", "Venda disputada", "Contestado", "SaleDisputed", "Bloqueado por contestação"],
  ] as const) {
    test(`a company's sale can be reversed: ${reversal}`, async ({ page, baseURL }) => {
      const home = staffUrl(baseURL);
      await openHost(page, home);
      const { sale, before } = await coveredSale(page, paymentType);
      await page.goto(`${home}/vendas/${sale.id}`);
      await button(page, reversal).click();
      const expected = await previewBalances(page);
      expect(expected.before).toEqual({
        available: before.available,
        receivable: before.receivable,
        blocked: before.blocked,
      });
      await confirm(page, reversal).click();
      await expect(page.getByRole("heading", { name: title })).toBeVisible();
      await page.getByRole("button", { name: "Voltar para a Venda" }).click();
      // The acquirer's answer may follow it.
      const last = timeline(page).filter({ hasText: label }).last();
      await last.getByRole("button", { name: /^Ver o evento contábil/ }).click();
      const shown = page.getByRole("dialog", { name: "Evento contábil" });
      await expect(shown).toContainText(event);
      await expect(shown.getByRole("table", { name: "Lançamentos" })).toContainText(account);
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: `Abrir o saldo de ${sale.business.name}` }).click();
      await expect(page.getByRole("heading", { name: sale.business.name })).toBeVisible();
      await expect(page.getByLabel("Saldo", { exact: true })).toContainText(money(expected.after.available));
    });
  }

  test("the cancel dialog links to the boleto only if the platform has it", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    await openHost(page, home);
    const ofLink = await coveredSale(page, "boleto", { solution: PAYMENT_LINK });
    // An acquirer has the boleto of a sale that it reported.
    const reported = await coveredSale(page, "boleto", { solution: E_COMMERCE });
    for (const [sale, paths] of [
      [ofLink.sale, [`/b/${ofLink.sale.id}`]],
      [reported.sale, []],
    ] as const) {
      await page.goto(`${home}/vendas/${sale.id}`);
      await button(page, "cancel").click();
      const facts = dialog(page, "cancel").getByLabel("Dados da venda", { exact: true });
      await expect(facts).toContainText("Boleto");
      const boletos = await facts
        .getByRole("link")
        .evaluateAll((links) => links.map((link) => new URL(link.getAttribute("href") ?? "").pathname));
      expect(boletos).toEqual(paths);
      await expect(dialog(page, "cancel")).not.toContainText("fatura");
    }
  });

  test("the list shows the sales of all companies or of the chosen one", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    await page.goto(`${home}/`);
    await page
      .getByRole("navigation", { name: "Navegação principal" })
      .getByRole("link", { name: "Vendas", exact: true })
      .click();
    await expect(salesTable(page)).toHaveAttribute("aria-busy", "false");
    const all = await getFromPage<Schemas["SaleTotals"]>(page, "/admin/transactions/totals");
    await expect(page.getByLabel("Totais das vendas filtradas")).toContainText(money(all.gross));
    const { data } = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
    const business = data[0];
    await page.getByRole("combobox", { name: "Empresa" }).click();
    await page.getByRole("option", { name: business?.name ?? "" }).click();
    await expect(page).toHaveURL(new RegExp(`business=${business?.id}`));
    const one = await getFromPage<Schemas["SaleTotals"]>(page, "/admin/transactions/totals", {
      business_id: business?.id ?? "",
    });
    await expect(page.getByLabel("Totais das vendas filtradas")).toContainText(money(one.gross));
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Empresa" })).toHaveValue(business?.name ?? "");
    const rows = salesTable(page).getByRole("row");
    for (const row of (await rows.all()).slice(1)) {
      await expect(row.getByTitle(business?.name ?? "", { exact: true })).toBeVisible();
    }
    // The file's name has the company's name even if the list has no row.
    await page.goto(`${home}/vendas?business=${business?.id}&start=1999-01-01&end=1999-01-02`);
    await expect(page.getByText(salesStrings.sales.nothingFoundTitle)).toBeVisible();
    const { file } = await exportSheet(page);
    expect(file).toBe(`${fileName("vendas", business?.name, now())}.xlsx`);
  });
});

test.describe("for a commercial supervisor", () => {
  test.use({ storageState: stateOf("supervisor") });

  test("the spreadsheet has the rows of the filtered list and their companies", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/vendas?paymentType=boleto`);
    await expect(page.getByRole("link", { name: /^Abrir a venda/ }).first()).toBeVisible();
    const { data, meta } = await getFromPage<Schemas["AdminSalePage"]>(page, "/admin/transactions", {
      paymentType: "boleto",
      perPage: 100,
    });
    const all = await getFromPage<Schemas["AdminSalePage"]>(page, "/admin/transactions", { perPage: 1 });
    expect(meta.total).toBeLessThan(all.meta.total);
    const sheet = await exportSheet(page);
    expect(sheet.file).toBe(`${fileName("vendas", undefined, now())}.xlsx`);
    expect(sheet.titles).toEqual(Object.values(sheets.staffSales));
    expect(sheet.rows).toHaveLength(meta.total);
    expect(
      sheet.rows.slice(0, data.length).map((row) => [row.Empresa, row.Venda, centsOf(row["Valor bruto"])]),
    ).toEqual(data.map(({ business, id, amount }) => [business.name, shortCode(id), amount]));
  });
});

test.describe("for customer service", () => {
  test.use({ storageState: stateOf("sac") });

  test("sales are readable, balances are not", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/vendas`);
    await page
      .getByRole("link", { name: /^Abrir a venda/ })
      .first()
      .click();
    await expect(page.getByRole("region", { name: "Linha do tempo" })).toBeVisible();
    await expect(page.getByText("Adquirente", { exact: true })).toBeVisible();
    await expect(page.getByRole("link", { name: /^Abrir o saldo/ })).toHaveCount(0);
    await expect(page.getByRole("button", { name: /^Ver o evento contábil/ })).toHaveCount(0);
    await expect(button(page, "cancel")).toBeVisible();
  });
});
