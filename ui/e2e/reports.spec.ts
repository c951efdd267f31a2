// Reports in both panels: their screens fit and are accessible, figures equal the totals of the lists behind them, and
// roles see only their own.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { statusQuery } from "../src/features/sales/statusQuery";
import { APPROVED, WITHDRAWAL } from "../src/features/withdrawals/transferCodes";
import { money, wholeNumber } from "../src/format/money";
import { strings } from "../src/strings/pt-BR";
import { paymentsReportStrings } from "../src/strings/pt-BR.paymentsReport";
import { reportStrings } from "../src/strings/pt-BR.reports";
import {
  cents,
  chooseItem,
  getFromPage,
  NEW_TITLE,
  openHost,
  openWithinPanel,
  plain,
  staffUrl,
} from "./panel";
import { checkScreen, DESKTOP, PLACEHOLDERS } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];

const words = reportStrings;

/** Opens a report and waits for its figures, its chart and its rows. */
async function openReport(page: Page, address: string, title: string) {
  await page.setViewportSize(DESKTOP);
  await openWithinPanel(page, new URL(address));
  await expect(page.locator(NEW_TITLE, { hasText: title })).toBeVisible();
  await expect(page.locator("main").locator(PLACEHOLDERS)).toHaveCount(0);
}

const table = (page: Page, title: string) => page.getByRole("table", { name: words.table(title) });

/** The amounts of a column: of its rows, and of the row of totals. */
async function column(page: Page, title: string, name: string) {
  // All cells are read at once, because the rows may change between two reads.
  const { titles, rows, totals } = await table(page, title).evaluate((element) => {
    const texts = (row: Element) =>
      [...row.querySelectorAll("th, td")].map((cell) => (cell.textContent ?? "").replace(/\s+/g, " ").trim());
    const lines = (selector: string) => [...element.querySelectorAll(selector)].map(texts);
    return {
      titles: lines("thead tr").flat(),
      rows: lines("tbody tr"),
      totals: lines("tfoot tr").flat(),
    };
  });
  const index = titles.indexOf(name);
  expect(index, titles.join()).toBeGreaterThan(0);
  return {
    rows: rows.map((cells) => cents(cells[index] ?? "")),
    total: cents(totals[index] ?? ""),
  };
}

/** By column, the total of the list of sales that its figure equals. A single fee and an average have none. */
const TOTAL_OF: Readonly<Record<string, "count" | "gross" | "fees" | "net">> = {
  [words.figures.count]: "count",
  [words.figures.gross]: "gross",
  [words.figures.fees]: "fees",
  [words.figures.net]: "net",
  [words.figures.canceled]: "gross",
  [words.figures.refunded]: "gross",
  [words.figures.disputed]: "gross",
  [words.figures.charged_back]: "gross",
  [words.figures.settled]: "net",
};
/** The parameters of a list's address that have another name in the gateway's query. */
const GATEWAY_NAMES: Readonly<Record<string, string>> = { business: "business_id", link: "payment_link" };

/**
 * Checks that each figure that links to sales equals the totals of the linked list: in all columns, for the row of
 * totals and the first two rows. Returns the number of figures compared.
 */
async function expectListsBehind(page: Page, title: string, totals: string): Promise<number> {
  await page.getByRole("button", { name: strings.list.columns }).click();
  const items = page.getByRole("menuitemcheckbox");
  await expect(items.first()).toBeVisible();
  for (const item of await items.all()) {
    if ((await item.getAttribute("aria-checked")) === "false") await chooseItem(item);
    await expect(item).toHaveAttribute("aria-checked", "true");
  }
  await page.keyboard.press("Escape");
  const figures = await table(page, title).evaluate((element) => {
    const clean = (text: string | null) => (text ?? "").replace(/\s+/g, " ").trim();
    const names = [...element.querySelectorAll("thead th")].map((cell) => clean(cell.textContent));
    const rows = [...element.querySelectorAll("tfoot tr, tbody tr:nth-child(-n+2)")];
    return rows.flatMap((row) =>
      [...row.querySelectorAll("th, td")].flatMap((cell, index) => {
        const link = cell.querySelector("a[href*='by=']");
        return link
          ? [
              {
                name: names[index] ?? "",
                text: clean(cell.textContent),
                href: link.getAttribute("href") ?? "",
              },
            ]
          : [];
      }),
    );
  });
  for (const { name, text, href } of figures) {
    const total = TOTAL_OF[name];
    if (!total) continue;
    const search = new URLSearchParams(href.split("?")[1]);
    const status = search.get("status");
    if (status) search.set("status", statusQuery(search.get("by"), status));
    const query = Object.fromEntries([...search].map(([key, value]) => [GATEWAY_NAMES[key] ?? key, value]));
    const answer = await getFromPage<Schemas["SaleTotals"]>(page, totals, query);
    const shown = total === "count" ? wholeNumber(answer.count) : money(answer[total]);
    expect(plain(text), `${title}, ${name}: ${href}`).toContain(plain(shown));
  }
  return figures.filter(({ name }) => TOTAL_OF[name]).length;
}

const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

async function expectNavigation(page: Page, shown: readonly string[], hidden: readonly string[]) {
  const navigation = page.getByRole("navigation", { name: "Navegação principal" });
  const link = (name: string) => navigation.getByRole("link", { name, exact: true });
  for (const name of shown) await expect(link(name)).toHaveCount(1);
  for (const name of hidden) await expect(link(name)).toHaveCount(0);
}

test.describe("for sellers", () => {
  test.use({ storageState: stateOf("owner") });

  test("the reports fit, add up, and lead to the sales behind their figures", async ({
    page,
    baseURL,
    browser,
  }) => {
    const home = baseURL ?? "";
    await openReport(page, `${home}/relatorios/totais`, "Relatório de totais");
    await checkScreen(page, "totals");
    await page.setViewportSize(DESKTOP);
    const gross = await column(page, "Relatório de totais", "Valor bruto");
    expect(gross.total).toBeGreaterThan(0);
    expect(sum(gross.rows)).toBe(gross.total);

    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: words.tools.image }).click();
    expect((await saved).suggestedFilename()).toBe(`${words.files.totals}.png`);

    // Rows by payment type have the same total. Their chart can be shown as a table.
    const kinds = page.getByRole("radiogroup", { name: words.rows.label });
    await kinds.getByText("Pagamento", { exact: true }).click();
    await expect(page).toHaveURL(/rows=paymentType/);
    const byType = await column(page, "Relatório de totais", "Valor bruto");
    expect(byType.total).toBe(gross.total);
    expect(sum(byType.rows)).toBe(gross.total);
    await page.getByText("Tabela", { exact: true }).click();
    await checkScreen(page, "totals by payment type");
    await page.setViewportSize(DESKTOP);

    await table(page, "Relatório de totais").locator("tfoot").getByRole("link").nth(1).click();
    await expect(page.getByRole("heading", { name: "Vendas", exact: true })).toBeVisible();
    await expect(page).toHaveURL(/by=captured&time_zone=America/);
    await expect(page.getByLabel("Totais das vendas filtradas")).toContainText(money(gross.total));

    await openReport(page, `${home}/relatorios/financeiro`, "Relatório financeiro");
    await checkScreen(page, "financial");
    await page.setViewportSize(DESKTOP);
    const net = await column(page, "Relatório financeiro", "Valor líquido");
    expect(sum(net.rows)).toBe(net.total);
    await openReport(page, `${home}/relatorios/totais-por-terminal`, "Totais por terminal");
    await checkScreen(page, "terminals");
    for (const [path, title] of [
      ["/relatorios/totais", "Relatório de totais"],
      ["/relatorios/totais?rows=brand", "Relatório de totais"],
      ["/relatorios/financeiro?paymentType=credit", "Relatório financeiro"],
      ["/relatorios/totais-por-terminal", "Totais por terminal"],
    ] as const) {
      await openReport(page, home + path, title);
      expect(await expectListsBehind(page, title, "/transactions/totals"), path).toBeGreaterThan(10);
    }

    // The arrow keys read the chart bar by bar.
    await openReport(page, `${home}/relatorios/totais`, "Relatório de totais");
    await page.getByRole("application").focus();
    await page.keyboard.press("ArrowRight");
    await expect(page.getByRole("status").filter({ hasText: words.figures.net })).toBeVisible();

    // The gateway's refusal is shown at its field.
    await page.goto("/relatorios/totais?group=hour&start=2026-10-01&end=2026-11-01");
    await expect(page.getByText("Por hora, o período pode ter até 48 horas.").first()).toBeVisible();

    const context = await browser.newContext({
      storageState: await signedInState(browser, baseURL, "operator"),
    });
    const operatorPage = await context.newPage();
    await operatorPage.goto("/relatorios/totais");
    await expect(operatorPage).toHaveURL(/\/unauthorized/);
    await expectNavigation(operatorPage, ["Vendas"], ["Relatório de totais", "Relatório financeiro"]);
    await context.close();
  });
});

test.describe("for staff", () => {
  test.use({ storageState: stateOf("administrator") });

  test("the reports fit, add up over companies, and open only for their roles", async ({
    page,
    baseURL,
    browser,
  }) => {
    const home = staffUrl(baseURL);
    await openReport(page, `${home}/relatorios/faturamento`, "Faturamento");
    await checkScreen(page, "billing");
    await page.setViewportSize(DESKTOP);
    const revenue = await column(page, "Faturamento", words.figures.platform_total);
    expect(sum(revenue.rows)).toBe(revenue.total);

    for (const [path, title] of [
      ["/relatorios/faturamento/empresas", "Faturamento por empresa"],
      ["/relatorios/vendas/totais", "Totais de vendas"],
      ["/relatorios/pagamentos?tab=settled", "Relatório de pagamentos"],
    ] as const) {
      await openReport(page, home + path, title);
      await checkScreen(page, title);
      await page.setViewportSize(DESKTOP);
      const gross = await column(page, title, "Valor bruto");
      expect(sum(gross.rows), title).toBe(gross.total);
      expect(await expectListsBehind(page, title, "/admin/transactions/totals"), title).toBeGreaterThan(5);
    }

    await page.getByRole("tab", { name: paymentsReportStrings.withdrawals }).click();
    const paid = page.getByLabel(paymentsReportStrings.figures).getByText(/ na conta da empresa$/);
    const { data: withdrawals, meta } = await getFromPage<Schemas["TransferPage"]>(
      page,
      "/admin/balance/transfers",
      { kind: WITHDRAWAL, status: APPROVED, perPage: 100 },
    );
    expect(meta.total).toBeLessThanOrEqual(100);
    const net = withdrawals.reduce((sum, { net_amount }) => sum + net_amount, 0);
    await expect(paid).toHaveText(paymentsReportStrings.note[APPROVED](meta.total, String(meta.total)));
    await expect(page.getByLabel(paymentsReportStrings.figures)).toContainText(money(net));
    await checkScreen(page, "withdrawals");
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: paymentsReportStrings.behind }).nth(2).click();
    await expect(page.getByText(`de ${meta.total}`)).toBeVisible();

    // A laptop's screen is lower than the navigation.
    await page.setViewportSize({ width: 1440, height: 600 });
    const last = page.getByRole("navigation", { name: "Navegação principal" }).getByRole("link").last();
    await last.click();
    await expect(page.getByRole("heading", { name: "Mensagens", exact: true })).toBeVisible();
    await page.setViewportSize(DESKTOP);

    await openReport(page, `${home}/relatorios/vendas/terminais`, "Vendas por terminal");
    await expect(page.getByText(words.empty.company)).toBeVisible();
    const { data } = await getFromPage<{ data: { id: string; name: string }[] }>(
      page,
      "/admin/businesses/list",
      { search: "Padaria" },
    );
    const [company] = data;
    if (!company) throw new Error("the story has no bakery");
    await page.getByRole("combobox", { name: words.filters.company }).fill("Padaria");
    await page.getByRole("option", { name: company.name }).click();
    await expect(table(page, "Vendas por terminal")).toBeVisible();
    await checkScreen(page, "terminals of a company");

    const context = await browser.newContext({ storageState: await signedInState(browser, baseURL, "sac") });
    const support = await context.newPage();
    await openHost(support, home);
    await support.goto(`${home}/relatorios/vendas/totais`);
    await expect(support.getByRole("heading", { name: "Totais de vendas", exact: true })).toBeVisible();
    await expectNavigation(
      support,
      ["Totais de vendas", "Vendas por terminal"],
      ["Faturamento", "Relatório de pagamentos"],
    );
    await context.close();
  });
});
