// The list of sales and one sale: filters in the address, pages, and amounts that add up.
import { expect, type Locator, type Page } from "@playwright/test";
import { businessDate, dateIn, instant, shiftMonth } from "../src/format/dates";
import { money, wholeNumber } from "../src/format/money";
import { shortCode } from "../src/format/text";
import { zoneName } from "../src/format/timeZones";
import { strings } from "../src/strings/pt-BR";
import { periodStrings } from "../src/strings/pt-BR.period";
import { salesStrings } from "../src/strings/pt-BR.sales";
import { statusStrings } from "../src/strings/pt-BR.status";
import { now } from "./clock";
import { api, cents, chooseItem, STORY_ZONE } from "./panel";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

test.use({ storageState: stateOf("owner") });

const table = (page: Page) => page.getByRole("table", { name: "Lista de vendas" });
const rows = (page: Page) =>
  table(page)
    .getByRole("row")
    .filter({ has: page.getByRole("link") });
/** A row also has a link from its net amount to the explanation. */
const openLink = (row: Locator) => row.getByRole("link", { name: /^Abrir a venda/ });
const total = (page: Page, label: string) =>
  page
    .getByLabel("Totais das vendas filtradas")
    .locator("div")
    .filter({ has: page.getByText(label, { exact: true }) });

async function businessOf(page: Page): Promise<string> {
  const { businesses } = await api.me(page);
  return businesses[0]?.id ?? "";
}

async function choose(page: Page, filter: string, option: string) {
  await page.getByRole("combobox", { name: filter }).click();
  await page.getByRole("option", { name: option, exact: true }).click();
}

test("filters stay in the address after a reload, and after another page", async ({ page }) => {
  const business_id = await businessOf(page);
  await page.goto("/vendas");
  await expect(rows(page).first()).toBeVisible();
  await choose(page, "Status", "Aprovado");
  await expect(page).toHaveURL(/status=succeeded/);
  await choose(page, "Pagamento", "Crédito");
  await expect(page).toHaveURL(/paymentType=credit/);

  const expected = await api.totals(page, { business_id, status: "succeeded", paymentType: "credit" });
  const expectFiltered = async () => {
    await expect(total(page, "Vendas aprovadas")).toContainText(wholeNumber(expected.count));
    await expect(total(page, "Valor bruto")).toContainText(money(expected.gross));
    await expect(total(page, "Total de taxas")).toContainText(money(expected.fees));
    await expect(total(page, "Valor líquido")).toContainText(money(expected.net));
    await expect(page.getByRole("combobox", { name: "Status" })).toHaveValue("Aprovado");
    for (const row of await rows(page).all()) await expect(row).toContainText("Crédito");
  };
  await expectFiltered();
  await page.reload();
  await expectFiltered();

  await openLink(rows(page).first()).click();
  await expect(page.getByRole("heading", { name: /^Venda / })).toBeVisible();
  await page.goBack();
  await expectFiltered();
  await openLink(rows(page).first()).click();
  await expect(page.getByRole("heading", { name: /^Venda / })).toBeVisible();
  await page.getByRole("link", { name: "Voltar para as vendas" }).click();
  await expectFiltered();
  // The link went back in the history, over the sale.
  await page.goBack();
  await expect(page).not.toHaveURL(/paymentType/);
  await expect(page.getByRole("combobox", { name: "Pagamento" })).toHaveValue("");
});

const period = (page: Page) => page.getByRole("button", { name: "Período (Brasília)", exact: true });
const day = (page: Page, date: string) =>
  page.getByRole("button", { name: businessDate(date, "D [de] MMMM [de] YYYY"), exact: true });

/** The list, the totals and the button show the period in the address. */
async function expectPeriod(page: Page, business_id: string, label: string) {
  const address = new URL(page.url()).searchParams;
  const [start, end] = [address.get("start") ?? "", address.get("end") ?? ""];
  const expected = await api.totals(page, { business_id, start, end, time_zone: STORY_ZONE });
  await expect(total(page, "Vendas aprovadas")).toContainText(wholeNumber(expected.count));
  const { meta } = await api.sales(page, { business_id, start, end, time_zone: STORY_ZONE, perPage: 1 });
  const range = page.getByText(new RegExp(`de ${wholeNumber(meta.total)}$`));
  await expect(range.or(page.getByText(salesStrings.sales.nothingFoundTitle))).toBeVisible();
  await expect(period(page)).toContainText(label);
  // The calendar is closed, and the focus is back on the button.
  await expect(page.locator("[data-dates-dropdown]")).toHaveCount(0);
  await expect(period(page)).toBeFocused();
}

test("a period is chosen by two days of the calendar, with or without an earlier period", async ({
  page,
}) => {
  const business_id = await businessOf(page);
  const dayOf = (number: string) => `${shiftMonth(dateIn(STORY_ZONE, now()), -1).slice(0, 8)}${number}`;
  const [third, fifth, tenth, twelfth] = [dayOf("03"), dayOf("05"), dayOf("10"), dayOf("12")];
  const label = `${businessDate(third)} a ${businessDate(fifth)}`;
  await page.goto("/vendas");
  await period(page).click();
  await page.getByRole("button", { name: periodStrings.period.previousMonth }).click();
  // The later day is clicked first.
  await day(page, twelfth).click();
  await expect(page).not.toHaveURL(/start=/);
  await day(page, tenth).click();
  await expect(page).toHaveURL(new RegExp(`start=${tenth}&end=${twelfth}`));
  await expectPeriod(page, business_id, `${businessDate(tenth)} a ${businessDate(twelfth)}`);
  await period(page).click();
  await day(page, third).click();
  await day(page, fifth).click();
  await expect(page).toHaveURL(new RegExp(`start=${third}&end=${fifth}`));
  await expectPeriod(page, business_id, label);

  // One day alone is not a period: the earlier period stays.
  for (const close of [() => page.keyboard.press("Escape"), () => period(page).click()]) {
    await period(page).click();
    await day(page, twelfth).click();
    await close();
    await expectPeriod(page, business_id, label);
    await expect(page).toHaveURL(new RegExp(`start=${third}&end=${fifth}`));
  }
  await page.getByRole("button", { name: periodStrings.period.clear }).click();
  await expect(page).not.toHaveURL(/start=/);
});

test("a preset period has days of the reader's zone, or instants", async ({ page }) => {
  const business_id = await businessOf(page);
  await page.goto("/vendas");
  await period(page).click();
  await page.getByRole("button", { name: "Última semana" }).click();
  await expect(page).toHaveURL(/start=\d{4}-\d{2}-\d{2}&end=\d{4}-\d{2}-\d{2}/);
  await expectPeriod(page, business_id, businessDate(new URL(page.url()).searchParams.get("start") ?? ""));
  await period(page).click();
  await page.getByRole("button", { name: "Última hora" }).click();
  await expect(page).toHaveURL(/start=[^&]*T[^&]*&end=[^&]*T/);
  const start = new URL(page.url()).searchParams.get("start") ?? "";
  await expectPeriod(page, business_id, instant(start, STORY_ZONE, "DD/MM HH:mm"));
});

test("paging neither loses nor repeats a sale", async ({ page }) => {
  const business_id = await businessOf(page);
  const expected = await api.sales(page, { business_id, page: 1, perPage: 100 });
  await page.goto("/vendas?perPage=10");
  const seen: string[] = [];
  for (const number of [1, 2, 3]) {
    await expect(page.getByRole("button", { name: `Página ${number}`, exact: true })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await expect(rows(page).first()).toContainText(shortCode(expected.data[(number - 1) * 10]?.id ?? ""));
    const codes = await openLink(rows(page)).allInnerTexts();
    seen.push(...codes);
    await page.getByRole("button", { name: "Próxima página" }).click();
  }
  expect(seen).toEqual(expected.data.slice(0, 30).map((sale) => shortCode(sale.id)));
  await expect(page).toHaveURL(/page=4/);
  await choose(page, "Status", "Aprovado");
  await expect(page).not.toHaveURL(/page=4/);
});

test("the date column reverses the order", async ({ page }) => {
  const business_id = await businessOf(page);
  const oldest = (await api.sales(page, { business_id, order: "asc", perPage: 1 })).data[0];
  await page.goto("/vendas");
  await expect(page.getByRole("columnheader", { name: "Data" })).toHaveAttribute("aria-sort", "descending");
  await page.getByRole("columnheader", { name: "Data" }).getByRole("button").click();
  await expect(page.getByRole("columnheader", { name: "Data" })).toHaveAttribute("aria-sort", "ascending");
  await expect(rows(page).first()).toContainText(shortCode(oldest?.id ?? ""));
});

test("hidden columns stay hidden", async ({ page }) => {
  await page.goto("/vendas");
  await expect(page.getByRole("columnheader", { name: "Solução" })).toBeVisible();
  await page.getByRole("button", { name: "Colunas" }).click();
  await chooseItem(page.getByRole("menuitemcheckbox", { name: "Solução" }));
  await page.keyboard.press("Escape");
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("columnheader", { name: "Solução" })).toHaveCount(0);
});

test("a list without results shows a message, and its filters can be cleared", async ({ page }) => {
  await page.goto("/vendas?start=1999-01-01&end=1999-01-02");
  await expect(page.getByText("Nenhuma venda com esses filtros")).toBeVisible();
  await page.getByRole("button", { name: "Limpar filtros" }).click();
  await expect(rows(page).first()).toBeVisible();
});

async function amountOf(panel: Locator, label: string): Promise<number> {
  const line = panel.locator("div").filter({ has: panel.page().getByText(label, { exact: true }) });
  return cents((await line.last().textContent()) ?? "");
}

test("a canceled sale counts as no earnings in the totals, in the list and on its page", async ({ page }) => {
  const business_id = await businessOf(page);
  await page.goto("/vendas?status=canceled");
  const expected = await api.totals(page, { business_id, status: "canceled" });
  await expect(total(page, "Vendas canceladas")).toContainText(wholeNumber(expected.count));
  await expect(total(page, "Valor cancelado")).toContainText(money(expected.gross));
  await expect(page.getByLabel("Totais das vendas filtradas").getByRole("term")).toHaveCount(2);
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("link", { name: /^R\$.*Por que esse valor/ })).toHaveCount(0);
  const reversed = await Promise.all(
    ["canceled", "reversed"].map((status) => api.sales(page, { business_id, status, perPage: 100 })),
  );
  const captured = reversed.flatMap(({ data }) => data).find((sale) => sale.net_amount !== null);
  if (!captured) throw new Error("the story has no canceled sale that was captured");
  await page.goto(`/vendas/${captured.id}`);
  const panel = page.getByRole("region", { name: "Valores" });
  await expect(panel).not.toContainText("Valor líquido");
  expect(await amountOf(panel, "Devolvido ao comprador")).toBe(-captured.amount);
  expect(await amountOf(panel, "Fica para você")).toBe(0);
});

test("gross minus all fees is net, and the receivables add up to both", async ({ page }) => {
  const business_id = await businessOf(page);
  const { data } = await api.sales(page, { business_id, status: "succeeded", perPage: 100 });
  const byInstallments = data.toSorted(
    (a, b) => b.payment_method.installments - a.payment_method.installments,
  );
  for (const sale of [byInstallments[0], byInstallments.at(-1)]) {
    if (!sale) throw new Error("the story has no approved sale");
    const expected = await api.sale(page, sale.id, business_id);
    await page.goto(`/vendas/${sale.id}`);
    const panel = page.getByRole("region", { name: "Valores" });
    const gross = await amountOf(panel, "Valor bruto");
    const rules = expected.fee_lines?.map(({ rule }) => salesStrings.sale.feeRules[rule]) ?? [];
    expect(rules.length).toBeGreaterThan(0);
    const fees = await Promise.all(rules.map((rule) => amountOf(panel, rule)));
    await expect(panel).not.toContainText(money(0));
    const net = await amountOf(panel, "Valor líquido");
    expect(gross).toBe(expected.amount);
    expect(net).toBe(expected.net_amount);
    expect(gross + fees.reduce((sum, fee) => sum + fee, 0)).toBe(net);

    const cells = await page.getByRole("table", { name: "Recebimentos" }).getByRole("row").all();
    const lines = await Promise.all(cells.slice(1).map((row) => row.getByRole("cell").allInnerTexts()));
    const parts = lines.slice(0, -1);
    expect(parts).toHaveLength(expected.receivables.length);
    const sum = (column: number) => parts.reduce((all, line) => all + cents(line[column] ?? ""), 0);
    expect(sum(2)).toBe(gross);
    expect(sum(3)).toBe(net);
  }
});

test("the page of a sale lists its events, oldest first", async ({ page }) => {
  const business_id = await businessOf(page);
  const { data } = await api.sales(page, { business_id, status: "succeeded", perPage: 1, order: "asc" });
  const expected = await api.sale(page, data[0]?.id ?? "", business_id);
  await page.goto(`/vendas/${expected.id}`);
  const events = page.getByRole("region", { name: "Linha do tempo" }).getByRole("listitem");
  await expect(events).toHaveCount(expected.events.length);
  const labels = expected.events.map((event) => statusStrings.eventLabels[event.label]);
  await expect(events).toContainText(labels);
});

test("a sale is found by its end-to-end id, and its page shows it", async ({ page }) => {
  const business_id = await businessOf(page);
  const query = { business_id, status: "succeeded", paymentType: "pix", perPage: 1 };
  const { data } = await api.sales(page, query);
  const id = data[0]?.id ?? "";
  const { names } = await api.sale(page, id, business_id);
  const endToEndId = names.end_to_end_id ?? "";
  expect(endToEndId).toMatch(/^E\d{20}/);

  await page.goto("/vendas");
  await page.getByRole("textbox", { name: salesStrings.sales.name }).fill(endToEndId.toLowerCase());
  await expect(rows(page)).toHaveCount(1);
  await expect(page).toHaveURL(new RegExp(`name=${endToEndId}`, "i"));
  await expect(total(page, "Vendas aprovadas")).toContainText("1");
  await openLink(rows(page).first()).click();
  await expect(page.getByRole("heading", { name: `Venda ${shortCode(id)}` })).toBeVisible();
  const fact = page.getByRole("term").filter({ hasText: salesStrings.sale.names.endToEndId });
  await expect(fact.locator("xpath=following-sibling::dd[1]")).toHaveText(endToEndId);
});

test("an unknown sale has a message", async ({ page }) => {
  await page.goto("/vendas/sal_00000000-0000-7000-8000-000000000000");
  await expect(page.getByRole("heading", { name: "Venda não encontrada" })).toBeVisible();
});

test("a sale's date and the filter by days use the chosen time zone", async ({ page }) => {
  const me = await api.me(page);
  const business_id = me.businesses[0]?.id ?? "";
  const { data } = await api.sales(page, { business_id, perPage: 100 });
  const zones = ["Pacific/Kiritimati", "America/Sao_Paulo"] as const;
  const dayIn = (zone: string, at: string) => instant(at, zone, "YYYY-MM-DD");
  // In the first zone it is already the next day.
  const sale = data.find(({ occurred_at: at }) => dayIn(zones[0], at) !== dayIn(zones[1], at));
  if (!sale) throw new Error("the story has no sale late in the day");
  const days = new Set(zones.map((zone) => dayIn(zone, sale.occurred_at)));
  expect(days.size).toBe(2);
  try {
    for (const zone of zones) {
      await page.goto("/minha-conta");
      const choice = page.getByRole("combobox", { name: strings.shell.timeZone });
      await choice.fill(zoneName(zone));
      await page.getByRole("option", { name: zoneName(zone), exact: true }).click();
      await expect(choice).toHaveValue(zoneName(zone));
      for (const day of days) {
        const expected = await api.sales(page, {
          business_id,
          start: day,
          end: day,
          time_zone: zone,
          perPage: 1,
        });
        await page.goto(`/vendas?start=${day}&end=${day}&perPage=100`);
        const own = page.getByRole("row").filter({ has: page.getByText(shortCode(sale.id)) });
        const range = page.getByText(new RegExp(`de ${wholeNumber(expected.meta.total)}$`));
        await expect(range.or(page.getByText(salesStrings.sales.nothingFoundTitle))).toBeVisible();
        await expect(own).toHaveCount(day === dayIn(zone, sale.occurred_at) ? 1 : 0);
        if (day === dayIn(zone, sale.occurred_at))
          await expect(own).toContainText(instant(sale.occurred_at, zone));
      }
    }
  } finally {
    // The zone is saved for the user, so it would stay for other tests.
    await page.getByRole("button", { name: `Menu de ${me.name}` }).click();
    await chooseItem(page.getByRole("menuitemradio", { name: strings.shell.timeZoneDefault("Brasília") }));
    await page.keyboard.press("Escape");
  }
});

test("a page after the last one leads to the last one", async ({ page }) => {
  await page.goto("/vendas?page=9999");
  await page.getByRole("button", { name: strings.list.toLastPage }).click();
  await expect(rows(page).first()).toBeVisible();
  await expect(page.getByRole("region", { name: "Lista de vendas" })).toBeFocused();
});
