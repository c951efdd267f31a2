// The home page shows the API's figures, and no balance to an operator.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { instant } from "../src/format/dates";
import { money, percent, variation, wholeNumber } from "../src/format/money";
import { shortCode } from "../src/format/text";
import { overviewStrings } from "../src/strings/pt-BR.overview";
import { api, plain, STORY_ZONE } from "./panel";
import { PHONE } from "./screen-checks";
import { test } from "./signed-in";
import { operator, stateOf } from "./story-users";

type Overview = components["schemas"]["Overview"];

const words = overviewStrings.overview;

/** "+12,5% que ontem"; without an earlier amount, the text that there is nothing to compare with. */
function changeText(current: number, previous: number, against: string): string {
  const ratio = variation(current, previous);
  return ratio === null ? words.noBasis : `${ratio > 0 ? "+" : ""}${percent(ratio)} ${against}`;
}

const figure = (page: Page, group: string, label: string) =>
  page
    .getByLabel(group, { exact: true })
    .filter({ visible: true })
    .locator("div")
    .filter({ has: page.getByText(label, { exact: true }) });

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the figures equal the API", async ({ page }) => {
    const me = await api.me(page);
    const business = me.businesses[0];
    if (!business) throw new Error("the owner has no business");
    const expected = await api.overview(page, business.id);
    await page.goto("/");
    const { balance, to_receive } = expected;
    if (!balance || !to_receive) throw new Error("the owner gets no balance");
    await expect(figure(page, "Saldo", "Disponível")).toContainText(money(balance.available));
    await expect(figure(page, "Saldo", "A receber")).toContainText(money(balance.receivable));
    await expect(figure(page, "Saldo", "A receber")).toContainText(money(to_receive.next_7_days));
    await expect(figure(page, "Saldo", "A receber")).toContainText(money(to_receive.next_30_days));
    await expect(figure(page, "Saldo", "Saques em andamento")).toContainText(money(balance.in_transfer));
    await expect(figure(page, "Saldo", "Bloqueado")).toContainText(money(balance.blocked));
    for (const [label, now, before, against] of [
      [words.today, expected.sales_today, expected.sales_yesterday, words.versusYesterday],
      [words.month, expected.sales_month, expected.sales_previous_month, words.versusMonth],
    ] as const) {
      await expect(figure(page, "Vendas", label)).toContainText(money(now.gross));
      await expect(figure(page, "Vendas", label)).toContainText(
        `${words.salesCount(now.count, wholeNumber(now.count))} · ${changeText(now.gross, before.gross, against)}`,
      );
    }
    const { count, gross } = expected.sales_month;
    expect(count).toBeGreaterThan(0);
    await expect(figure(page, "Vendas", words.averageTicket)).toContainText(money(Math.round(gross / count)));

    for (const [title, parts] of [
      ["Por forma de pagamento", expected.by_payment_type],
      ["Por bandeira", expected.by_brand],
    ] as const) {
      const panel = page.getByRole("region", { name: title });
      const sold = parts.filter((part) => part.count > 0);
      expect(sold, title).not.toEqual([]);
      for (const part of sold) await expect(panel).toContainText(money(part.gross));
    }
  });

  test("a period changes the chart, its table and the shares, and stays in the address", async ({ page }) => {
    const me = await api.me(page);
    const business_id = me.businesses[0]?.id ?? "";
    await page.goto("/");
    await expect(page.getByRole("figure", { name: /vendas do período/ })).toBeVisible();
    const panel = page.getByRole("region", { name: "Vendas do período" });
    const shown = async ({ totals, parts }: Overview["period"]) => {
      await panel.getByText("Gráfico", { exact: true }).click();
      await expect(panel).toContainText(money(totals.gross));
      await panel.getByText("Tabela", { exact: true }).click();
      const rows = panel.getByRole("table", { name: "Vendas do período" }).getByRole("row");
      await expect(rows).toHaveCount(parts.length + 1);
      const texts = await rows.allInnerTexts();
      for (const [index, part] of parts.toReversed().entries()) {
        expect(plain(texts[index + 1] ?? "")).toContain(plain(money(part.gross)));
      }
    };
    const month = await api.overview(page, business_id);
    expect(month.period.parts).toHaveLength(30);
    await shown(month.period);

    const select = page.getByRole("combobox", { name: "Período" });
    for (const [option, name, parts] of [
      ["1w", "Última semana", 7],
      ["15d", "Últimos 15 dias", 15],
      // 24 hours that begin within an hour also end within one, so they touch 25.
      ["1d", "Últimas 24 horas", 25],
    ] as const) {
      const answered = page.waitForResponse((response) => {
        const url = new URL(response.url());
        return url.pathname === "/api/overview" && url.searchParams.has("start");
      });
      await select.click();
      await page.getByRole("option", { name }).click();
      const { period, by_payment_type } = (await (await answered).json()) as Overview;
      expect(period.parts, name).toHaveLength(parts);
      await expect(page).toHaveURL(new RegExp(`period=${option}`));
      await shown(period);
      const types = page.getByRole("region", { name: "Por forma de pagamento" });
      await expect(types.getByRole("listitem")).toHaveCount(by_payment_type.length);
    }
    await page.reload();
    await expect(select).toHaveValue("Últimas 24 horas");
  });

  test("the home page opens the form of withdrawals and lists the latest ones", async ({ page }) => {
    const me = await api.me(page);
    const expected = await api.overview(page, me.businesses[0]?.id ?? "");
    await page.goto("/");
    const latest = page.getByRole("region", { name: "Últimos saques" });
    const withdrawals = expected.latest_withdrawals ?? [];
    expect(withdrawals.length).toBeGreaterThan(0);
    await expect(latest.getByRole("listitem")).toHaveCount(withdrawals.length);
    for (const { amount } of withdrawals) await expect(latest).toContainText(money(amount));
    await page.getByRole("button", { name: "Solicitar saque" }).click();
    await expect(page.getByRole("dialog")).toContainText(money(expected.balance?.available ?? 0));
    await page.keyboard.press("Escape");
    await latest.getByRole("link", { name: "Ver todos" }).click();
    await expect(page.getByRole("tab", { name: "Saques e cobranças", selected: true })).toBeVisible();
  });

  test("the latest sales are listed, and the newest links to its page", async ({ page }) => {
    const me = await api.me(page);
    const expected = await api.overview(page, me.businesses[0]?.id ?? "");
    const newest = expected.latest_sales[0];
    if (!newest) throw new Error("the story has no sale");
    await page.goto("/");
    const latest = page.getByRole("region", { name: "Últimas vendas" });
    await expect(latest.getByRole("listitem")).toHaveCount(expected.latest_sales.length);
    await expect(latest).toContainText(instant(newest.occurred_at, me.time_zone ?? STORY_ZONE));
    await latest.getByRole("link", { name: shortCode(newest.id) }).click();
    await expect(page.getByRole("heading", { name: `Venda ${shortCode(newest.id)}` })).toBeVisible();
  });

  test("a failed read has a message and a retry button", async ({ page }) => {
    await page.route("**/api/overview**", (route) => route.abort());
    await page.goto("/");
    const alert = page.getByRole("alert");
    await expect(alert).toContainText("Não foi possível carregar");
    await page.unroute("**/api/overview**");
    await alert.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(page.getByText("Disponível", { exact: true })).toBeVisible();
  });
});

test.describe("on a phone", () => {
  test.use({ storageState: stateOf("owner"), viewport: PHONE });

  test("the home page fits two screens", async ({ page }) => {
    await page.goto("/");
    await expect(page.getByRole("figure", { name: /vendas do período/ })).toBeVisible();
    await expect(page.getByRole("region", { name: "Últimos saques" })).toBeVisible();
    await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    expect(height).toBeLessThanOrEqual(2 * PHONE.height);
  });
});

test.describe("for a user of two companies", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("switching the company changes figures and role, and is remembered", async ({ page }) => {
    const { businesses } = await api.me(page);
    const administered = businesses.find(({ role }) => role === "admin");
    const operated = businesses.find(({ role }) => role === "operator");
    if (!administered || !operated) throw new Error("the user does not have both roles");
    const selector = page.getByRole("combobox", { name: "Empresa" });
    const choose = async (name: string) => {
      if ((await selector.inputValue()) === name) return;
      await selector.click();
      await page.getByRole("option", { name }).click();
      await expect(selector).toHaveValue(name);
    };
    await page.goto("/");
    await expect(page.getByText("Vendas hoje (bruto)")).toBeVisible();
    await choose(administered.name);
    await expect(page.getByText("Disponível", { exact: true })).toBeVisible();
    await choose(operated.name);
    await expect(page.getByText("Vendas hoje (bruto)")).toBeVisible();
    await expect(page.getByText("Disponível", { exact: true })).toHaveCount(0);

    const before = await api.totals(page, { business_id: administered.id });
    const after = await api.totals(page, { business_id: operated.id });
    expect(after).not.toEqual(before);
    await page.goto("/vendas");
    await expect(selector).toHaveValue(operated.name);
    await expect(figure(page, "Totais das vendas filtradas", "Valor bruto")).toContainText(
      money(after.gross),
    );
  });
});

test.describe("for an operator", () => {
  test.use({ storageState: stateOf("operator") });

  test("the balance is neither on the screen nor in the API's answer", async ({ page }) => {
    const me = await api.me(page);
    const expected = await api.overview(page, me.businesses[0]?.id ?? "");
    expect(expected.balance).toBeNull();
    expect(expected.to_receive).toBeNull();
    await page.goto("/");
    // The label is there before the answer, the amount is not.
    await expect(figure(page, "Vendas", "Vendas hoje (bruto)")).toContainText(
      money(expected.sales_today.gross),
    );
    await expect(page.getByText("Disponível", { exact: true })).toHaveCount(0);
    await expect(page.getByText("A receber", { exact: true })).toHaveCount(0);
    expect(expected.latest_withdrawals).toBeNull();
    await expect(page.getByRole("region", { name: "Últimos saques" })).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Solicitar saque" })).toHaveCount(0);
    await page.getByRole("button", { name: `Menu de ${operator.name}` }).click();
    await expect(page.getByText("Operador", { exact: true })).toBeVisible();
  });
});
