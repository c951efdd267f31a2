// Saved views, reports by e-mail, and the closing of a month.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { money } from "../src/format/money";
import { closingStrings, reportEmailStrings } from "../src/strings/pt-BR.reportEmails";
import { reportStrings } from "../src/strings/pt-BR.reports";
import { savedViewStrings } from "../src/strings/pt-BR.savedViews";
import { cents, chooseItem, getFromPage, NEW_TITLE, openWithinPanel, staffUrl } from "./panel";
import { checkScreen, DESKTOP, PLACEHOLDERS } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];

const words = savedViewStrings;
const emails = reportEmailStrings;
const closing = closingStrings;

async function open(page: Page, address: string, title: string) {
  await page.setViewportSize(DESKTOP);
  await openWithinPanel(page, new URL(address));
  await expect(page.locator(NEW_TITLE, { hasText: title })).toBeVisible();
  await expect(page.locator("main").locator(PLACEHOLDERS)).toHaveCount(0);
}

const menu = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

async function choose(page: Page, button: string, item: string) {
  await menu(page, button).click();
  await chooseItem(page.getByRole("menuitem", { name: item, exact: true }));
}

async function saveView(page: Page, name: string) {
  await choose(page, words.menu, words.save);
  const dialog = page.getByRole("dialog", { name: words.saveTitle });
  await dialog.getByLabel(words.name).fill(name);
  await dialog.getByRole("button", { name: words.saveSubmit }).click();
  await expect(dialog).toHaveCount(0);
}

test.describe("for sellers", () => {
  test.use({ storageState: stateOf("owner") });

  test("a saved view restores filters and columns, a report by e-mail is stopped, a closing adds up", async ({
    page,
    baseURL,
  }) => {
    const home = baseURL ?? "";
    const report = `${home}/relatorios/totais`;
    await open(page, `${report}?paymentType=credit&group=week&rows=brand`, "Relatório de totais");
    await menu(page, "Colunas").click();
    await chooseItem(page.getByRole("menuitemcheckbox", { name: "Taxas" }));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("columnheader", { name: "Taxas" })).toHaveCount(0);
    const name = "Crédito por bandeira";
    await saveView(page, name);
    await expect(menu(page, name)).toBeVisible();

    // After other filters and columns, the saved view restores its own.
    await open(page, report, "Relatório de totais");
    await menu(page, "Colunas").click();
    await chooseItem(page.getByRole("menuitemcheckbox", { name: "Taxas" }));
    await page.keyboard.press("Escape");
    await expect(page.getByRole("columnheader", { name: "Taxas" })).toBeVisible();
    await choose(page, words.menu, name);
    await expect(page).toHaveURL(/paymentType=credit/);
    await expect(page).toHaveURL(/rows=brand/);
    // The address changes before the report is rendered.
    await expect(menu(page, name)).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Bandeira" })).toBeVisible();
    await expect(page.getByRole("columnheader", { name: "Taxas" })).toHaveCount(0);
    await checkScreen(page, "a report with a saved view");
    await page.setViewportSize(DESKTOP);
    // With other columns or filters, what is shown is not the view.
    const toggleFees = async () => {
      await menu(page, "Colunas").click();
      await chooseItem(page.getByRole("menuitemcheckbox", { name: "Taxas" }));
      await page.keyboard.press("Escape");
    };
    await toggleFees();
    await expect(menu(page, words.menu)).toBeVisible();
    await toggleFees();
    await expect(menu(page, name)).toBeVisible();
    await page.getByRole("combobox", { name: "Pagamento" }).click();
    await page.getByRole("option", { name: "PIX" }).click();
    await expect(menu(page, words.menu)).toBeVisible();
    await page.goBack();
    await expect(menu(page, name)).toBeVisible();

    await choose(page, name, words.byEmail);
    const subscription = page.getByRole("dialog", { name: emails.subscribeTitle });
    await subscription.getByText(emails.rhythms.month, { exact: true }).click();
    await subscription.getByRole("button", { name: emails.subscribeSubmit }).click();
    await expect(page.getByText(emails.subscribed)).toBeVisible();

    await choose(page, name, words.manage);
    await page
      .getByRole("button", { name: new RegExp(name) })
      .last()
      .click();
    await chooseItem(page.getByRole("menuitem", { name: words.delete }));
    await page.getByRole("dialog").getByRole("button", { name: words.delete }).click();
    await expect(page.getByText(words.none)).toBeVisible();

    await open(page, `${home}/relatorios/por-email`, "Relatórios por e-mail");
    const list = page.getByRole("list", { name: emails.list });
    await expect(list.getByText("Relatório de totais")).toBeVisible();
    await expect(list.getByText("Pagamento: Crédito")).toBeVisible();
    await checkScreen(page, "reports by e-mail");
    await page.setViewportSize(DESKTOP);
    await list.getByRole("button", { name: emails.stopOf("Relatório de totais") }).click();
    await page.getByRole("dialog").getByRole("button", { name: emails.stopSubmit }).click();
    await expect(page.getByText(emails.none)).toBeVisible();

    // The closing of a month: each account's opening balance, credits and debits add up to its closing one. The
    // download is one workbook.
    await open(page, `${home}/relatorios/fechamento`, "Fechamento do mês");
    await expect(page.getByText(closing.balanced)).toBeVisible();
    await checkScreen(page, "closing");
    await page.setViewportSize(DESKTOP);
    const accounts = page.getByRole("table", { name: closing.accounts });
    const rows = await accounts.locator("tbody tr").all();
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const [opening = 0, credits = 0, debits = 0, end = 0] = (await row.locator("td").allInnerTexts()).map(
        cents,
      );
      expect(opening + credits + debits).toBe(end);
    }
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: closing.download }).click();
    expect((await saved).suggestedFilename()).toMatch(/^fechamento.*\.xlsx$/);
  });
});

test.describe("for staff of finance", () => {
  test.use({ storageState: stateOf("financial") });

  test("a closing is of one company, and a view of one tab of a report is saved and opened", async ({
    page,
    baseURL,
  }) => {
    const home = staffUrl(baseURL);
    await open(page, `${home}/relatorios/fechamento`, "Fechamento do mês");
    await expect(page.getByText(closing.needsCompany)).toBeVisible();
    await page.getByRole("combobox", { name: closing.company }).fill("Padaria");
    await page
      .getByRole("option", { name: /Padaria/ })
      .first()
      .click();
    await expect(page.getByText(closing.balanced)).toBeVisible();
    const business = new URL(page.url()).searchParams.get("business") ?? "";
    const answer = await getFromPage<Schemas["MonthClosing"]>(page, `/admin/businesses/${business}/closing`);
    await expect(page.getByLabel(closing.figures)).toContainText(money(answer.figures.gross));

    // The story has no receivables that were open after their due date.
    const overdue = { reason: "not_settled", label: "Vencida e não liquidada", installments: 3, net: 291_00 };
    await page.route(`**/api/admin/businesses/${business}/closing?**`, (route) =>
      route.fulfill({ json: { ...answer, overdue_receivables: [overdue] } }),
    );
    await page.reload();
    const warning = page.getByRole("note").filter({ hasText: "Vencida e não liquidada" });
    await expect(warning).toContainText(closing.overdue(3, money(291_00)));
    const colors = await warning.evaluate((alert) => {
      const sample = alert.appendChild(document.createElement("i"));
      sample.style.background = "var(--wait-background)";
      const colors = [alert, sample].map((each) => getComputedStyle(each).backgroundColor);
      sample.remove();
      return colors;
    });
    expect(colors[0], "the theme's color of a warning").toBe(colors[1]);
    await checkScreen(page, "closing with a warning");
    await page.setViewportSize(DESKTOP);

    await open(page, `${home}/relatorios/pagamentos?tab=settled&brand=visa`, "Relatório de pagamentos");
    await saveView(page, "Visa");
    await open(page, `${home}/relatorios/pagamentos?tab=settled`, "Relatório de pagamentos");
    await choose(page, words.menu, "Visa");
    await expect(page).toHaveURL(/tab=settled.*brand=visa/);
    await expect(
      page.getByRole("table", { name: reportStrings.table("Relatório de pagamentos") }),
    ).toBeVisible();
    await checkScreen(page, "settled with a saved view");
  });
});
