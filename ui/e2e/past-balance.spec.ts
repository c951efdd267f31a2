// A company's balance as of an instant, recorded or effective, and its journal: the screen equals the API and the
// statement's running balance. Also the cancellation of a rental.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import * as sheets from "../src/api/sheets.json";
import { instant, typedInstant } from "../src/format/dates";
import { fileName } from "../src/format/fileName";
import { money, wholeNumber } from "../src/format/money";
import { balanceStrings } from "../src/strings/pt-BR.balance";
import { ledgerStrings } from "../src/strings/pt-BR.ledger";
import { withdrawalsStrings } from "../src/strings/pt-BR.withdrawals";
import { now } from "./clock";
import { chooseItem, companyWithLines, getFromPage, openHost, plain, STORY_ZONE, staffUrl } from "./panel";
import { findRental } from "./rentals";
import { TABLET } from "./screen-checks";
import { test } from "./signed-in";
import { centsOf, exportSheet } from "./spreadsheet";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];
type Line = Schemas["AdminBalanceMovement"];
type Entry = Schemas["JournalEntry"];
type Axis = "recorded" | "effective";
type Query = Record<string, string | number>;

const words = ledgerStrings.asOf;
const accounts = balanceStrings.ledgerEvent.accounts;

interface OpenedBalance {
  id: string;
  name: string;
  url: string;
}

/** Opens the balance of the first company that has at least 50 statement lines. */
async function openBalance(page: Page, baseURL: string | undefined, search = ""): Promise<OpenedBalance> {
  const home = staffUrl(baseURL);
  await openHost(page, home);
  const { id, name } = await companyWithLines(page, 50);
  const url = `${home}/empresas/${id}/saldo`;
  await page.goto(`${url}${search}`);
  await expect(page.getByRole("heading", { name })).toBeVisible();
  return { id, name, url };
}

const statement = (page: Page, query: Query) =>
  getFromPage<Schemas["AdminBalancePage"]>(page, "/admin/balance/history", query);

async function allLines(page: Page, query: Query): Promise<Line[]> {
  const lines: Line[] = [];
  for (let number = 1; ; number += 1) {
    const { data, meta } = await statement(page, { ...query, page: number, perPage: 100 });
    lines.push(...data);
    if (number >= meta.total_pages) return lines;
  }
}

const balanceAsOf = (page: Page, id: string, query: Query) =>
  getFromPage<Schemas["BalanceAsOf"]>(page, `/admin/businesses/${id}/balance`, query);
/** The journal by effective instants, as the screen reads it when no instant is chosen. */
const journal = (page: Page, id: string, query: Query) =>
  getFromPage<Schemas["JournalPage"]>(page, `/admin/businesses/${id}/journal`, {
    axis: "effective",
    ...query,
  });

const figures = (page: Page) => page.getByLabel("Saldo", { exact: true });
const figure = (page: Page, label: string) =>
  figures(page)
    .locator("div")
    .filter({ has: page.getByText(label, { exact: true }) });
const past = (page: Page) => page.getByRole("status").filter({ hasText: "Saldo de uma data passada" });
const firstLine = (page: Page) => page.getByRole("table", { name: "Extrato" }).getByRole("row").nth(1);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

async function choose(page: Page, at: string, axis: Axis) {
  await page.getByLabel(words.instant).fill(typedInstant(at, STORY_ZONE));
  await page.getByRole("radio", { name: words.axes[axis] }).check();
  await page.getByRole("button", { name: words.show }).click();
  await expect(past(page)).toContainText(words.axes[axis].toLowerCase());
  await expect(past(page)).toContainText(instant(at, STORY_ZONE, "DD/MM/YYYY HH:mm:ss"));
}

/** The screen's cards and accounts equal the gateway's at that instant, and all accounts sum to zero. */
async function expectBalances(page: Page, { balances }: Schemas["BalanceAsOf"]) {
  const { blocked, ...each } = balances;
  expect(sum(Object.values(each))).toBe(0);
  expect(blocked).toBe(balances.held_by_staff + balances.in_dispute);
  for (const [label, cents] of [
    [accounts.available, balances.available],
    [accounts.receivable, balances.receivable],
    [accounts.in_transfer, balances.in_transfer],
    ["Bloqueado", blocked],
  ] as const) {
    await expect(figure(page, label)).toContainText(money(cents));
  }
  const others = page.getByLabel(words.accounts);
  for (const account of ["held_by_staff", "in_dispute", "platform_fees", "clearing"] as const) {
    const place = others.locator("div").filter({ has: page.getByText(accounts[account], { exact: true }) });
    await expect(place).toContainText(money(balances[account]));
  }
}

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("the effective balance as of an instant is the sum of the statement's lines until then", async ({
    page,
    baseURL,
  }) => {
    const { id } = await openBalance(page, baseURL);
    const lines = await allLines(page, { business_id: id });
    const middle = lines.toSorted((one, other) => one.occurred_at.localeCompare(other.occurred_at))[
      Math.floor(lines.length / 2)
    ];
    if (!middle) throw new Error("the statement is empty");
    // A typed instant has no fraction of a second.
    const at = new Date(Math.ceil(Date.parse(middle.occurred_at) / 1000) * 1000).toISOString();
    await choose(page, at, "effective");
    await expect(page).toHaveURL(/axis=effective/);
    const expected = await balanceAsOf(page, id, { as_of: at, axis: "effective" });
    const until = lines.filter(({ occurred_at }) => Date.parse(occurred_at) <= Date.parse(at));
    expect(until.length).toBeLessThan(lines.length);
    expect(expected.balances.available).toBe(sum(until.map(({ amount }) => amount)));
    await expectBalances(page, expected);

    const then = await allLines(page, { business_id: id, as_of: at, axis: "effective", order: "asc" });
    expect(then.map(({ amount }) => amount).toSorted()).toEqual(until.map(({ amount }) => amount).toSorted());
    let running = 0;
    for (const line of then) {
      running += line.amount;
      expect(line.balance, `line ${line.id}`).toBe(running);
    }
    await expect(firstLine(page)).toContainText(money(expected.balances.available));
  });

  test("the recorded balance as of an instant is the running balance of the last line until then", async ({
    page,
    baseURL,
  }) => {
    const opened = await openBalance(page, baseURL);
    const lines = await allLines(page, { business_id: opened.id, axis: "recorded" });
    const recorded = lines.toSorted((one, other) => one.id - other.id);
    const middle = recorded[Math.floor(recorded.length / 2)];
    if (!middle) throw new Error("the statement is empty");
    // The story is recorded within seconds, so the address needs the fraction of the second.
    const at = middle.recorded_at;
    const until = recorded.filter(({ recorded_at }) => recorded_at <= at);
    const last = until.at(-1);
    await page.goto(`${opened.url}?at=${at}`);
    await expect(past(page)).toContainText(words.axes.recorded.toLowerCase());
    const expected = await balanceAsOf(page, opened.id, { as_of: at, axis: "recorded" });
    expect(expected.balances.available).toBe(last?.balance);
    expect(sum(until.map(({ amount }) => amount))).toBe(last?.balance);
    await expectBalances(page, expected);
    await expect(page.getByLabel(words.accounts)).toContainText(wholeNumber(expected.sequence ?? 0));
    const { meta } = await statement(page, { business_id: opened.id, as_of: at, perPage: 1 });
    expect(meta.total).toBe(until.length);
    await expect(page.getByText(new RegExp(` de ${wholeNumber(until.length)}$`))).toBeVisible();
    // A card shows the instant by which the list is ordered.
    await page.setViewportSize(TABLET);
    const card = page.getByRole("list", { name: "Extrato" }).getByRole("listitem").first();
    await expect(card.locator("time")).toHaveAttribute("datetime", last?.recorded_at ?? "");
    expect(last?.recorded_at).not.toBe(last?.occurred_at);
  });

  test("the balance before the first event is zero, and an invalid instant is refused", async ({
    page,
    baseURL,
  }) => {
    await openBalance(page, baseURL);
    await page.getByLabel(words.instant).fill("30022026");
    await page.getByRole("button", { name: words.show }).click();
    await expect(page.getByText(words.instantRequired)).toBeVisible();
    await page.getByLabel(words.instant).fill("010120990000");
    await page.getByRole("button", { name: words.show }).click();
    await expect(page.getByText(words.instantAhead)).toBeVisible();
    await expect(past(page)).toHaveCount(0);
    await choose(page, "2001-01-01T00:00:00.000Z", "recorded");
    await expect(figure(page, accounts.available)).toContainText(money(0));
    await expect(page.getByLabel(words.accounts)).toContainText(words.noneCounted);
    await expect(page.getByText(balanceStrings.statement.emptyTitle)).toBeVisible();
  });

  test("a past balance is marked, allows no change, stays in the address, and can be left", async ({
    page,
    baseURL,
  }) => {
    const { id } = await openBalance(page, baseURL);
    const current = await getFromPage<Schemas["BalanceSummary"]>(page, "/admin/balance/history", {
      business_id: id,
      totals: 1,
    });
    const longAgo = "2001-01-01T00:00:00.000Z";
    const shown = instant(longAgo, STORY_ZONE, "DD/MM/YYYY HH:mm:ss");
    await choose(page, longAgo, "effective");
    const manual = page.getByRole("button", { name: "Ajuste manual" });
    await expect(manual).toHaveAttribute("aria-disabled", "true");
    await expect(manual).toHaveAccessibleDescription(balanceStrings.businessBalance.notNow);
    await page.getByRole("tab", { name: "Saques" }).click();
    await expect(page.getByText(words.transfersAreNow)).toBeVisible();
    await page.reload();
    await expect(past(page)).toContainText(shown);
    await expect(page.getByRole("radio", { name: words.axes.effective })).toBeChecked();
    await expect(page.getByLabel(words.instant)).toHaveValue(shown);
    await page.getByRole("button", { name: words.back }).click();
    await expect(past(page)).toHaveCount(0);
    await expect(page).not.toHaveURL(/at=|axis=/);
    await expect(figure(page, accounts.available)).toContainText(money(current.totals.available));
    await expect(manual).not.toHaveAttribute("aria-disabled", "true");
  });

  test("the postings of each event in the journal add up to zero", async ({ page, baseURL }) => {
    const { id } = await openBalance(page, baseURL, "?tab=journal");
    const { data } = await journal(page, id, { perPage: 100 });
    const events = [...new Set(data.map(({ event_id }) => event_id))];
    // The page may end within the postings of an event.
    const whole = events.slice(0, -1).map((event) => data.filter(({ event_id }) => event_id === event));
    expect(whole.length).toBeGreaterThan(10);
    for (const entries of whole) {
      expect(entries.length, entries[0]?.event_id).toBeGreaterThan(1);
      expect(sum(entries.map(({ amount }) => amount)), entries[0]?.event_id).toBe(0);
    }
    const entries = whole[0] as Entry[];
    const first = entries[0] as Entry;
    const rows = page.getByRole("table", { name: ledgerStrings.journal.table }).getByRole("row");
    for (const [index, entry] of entries.entries()) {
      await expect(rows.nth(index + 1)).toContainText(accounts[entry.account]);
      await expect(rows.nth(index + 1)).toContainText(money(entry.amount));
      await expect(rows.nth(index + 1)).toContainText(money(entry.balance));
    }
    await rows.nth(1).getByRole("link").click();
    const event = page.getByRole("dialog", { name: "Evento contábil" });
    await expect(event).toContainText(first.event_id);
    const postings = event.getByRole("table", { name: "Lançamentos" }).getByRole("row");
    await expect(postings).toHaveCount(entries.length + 1);
    for (const entry of entries) {
      await expect(postings.filter({ hasText: accounts[entry.account] })).toContainText(money(entry.amount));
    }
  });

  test("an account's balance runs from posting to posting up to the current balance", async ({
    page,
    baseURL,
  }) => {
    const { id } = await openBalance(page, baseURL, "?tab=journal");
    const { balances } = await balanceAsOf(page, id, {});
    for (const account of ["available", "receivable", "clearing"] as const) {
      const { data } = await journal(page, id, { account, perPage: 100 });
      expect(data[0]?.balance, account).toBe(balances[account]);
      for (const [index, entry] of data.slice(0, -1).entries()) {
        expect(entry.account).toBe(account);
        expect(entry.balance - entry.amount, `${account} ${entry.event_id}`).toBe(data[index + 1]?.balance);
      }
    }
    await page.getByRole("combobox", { name: ledgerStrings.journal.account }).click();
    await page.getByRole("option", { name: accounts.receivable }).click();
    await expect(page).toHaveURL(/account=receivable/);
    const { data } = await journal(page, id, { account: "receivable" });
    const rows = page.getByRole("table", { name: ledgerStrings.journal.table }).getByRole("row");
    await expect(rows).toHaveCount(data.length + 1);
    await expect(rows.nth(1)).toContainText(money(data[0]?.balance ?? Number.NaN));
    await expect(rows.filter({ hasText: accounts.clearing })).toHaveCount(0);
  });

  test("the journal's spreadsheet equals the API", async ({ page, baseURL }) => {
    const { id, name } = await openBalance(page, baseURL, "?tab=journal&account=platform_fees");
    await expect(
      page.getByRole("table", { name: ledgerStrings.journal.table }).getByRole("link").first(),
    ).toBeVisible();
    const sheet = await exportSheet(page);
    expect(sheet.file).toBe(`${fileName(ledgerStrings.journal.file, name, now())}.xlsx`);
    expect([sheet.sheets, sheet.titles]).toEqual([["Sheet1"], Object.values(sheets.journal)]);
    const { data, meta } = await journal(page, id, { account: "platform_fees", perPage: 100 });
    expect(sheet.rows).toHaveLength(meta.total);
    expect(
      sheet.rows
        .slice(0, data.length)
        .map((row) => [
          row.Identificador,
          row.Evento,
          row.Conta,
          centsOf(row.Valor),
          centsOf(row["Saldo da conta"]),
        ]),
    ).toEqual(
      data.map((entry) => [
        entry.event_id,
        ledgerStrings.journal.events[entry.type as keyof typeof ledgerStrings.journal.events],
        accounts[entry.account],
        entry.amount,
        entry.balance,
      ]),
    );
  });

  test("a terminal's rental is canceled once", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    await openHost(page, home);
    const rental = await findRental(page);
    const { business_id, amount } = rental;
    const before = await balanceAsOf(page, business_id, {});
    await page.goto(`${home}/empresas/${business_id}/saldo?tab=transfers&perPage=100`);
    const actions = page.getByRole("button", { name: `Ações: aluguel de ${plain(money(amount))}` });
    const cancel = page.getByRole("menuitem", { name: ledgerStrings.rentalCancel.open });
    // Pending transfers come first, so no column is marked as sorted.
    await expect(page.getByText(withdrawalsStrings.queue.hint)).toBeVisible();
    await expect(page.locator("th[aria-sort]")).toHaveCount(0);
    const charged = page.getByRole("row").filter({ hasText: "Concluído" }).filter({ has: actions }).first();
    await charged.getByRole("button").click();
    await chooseItem(cancel);
    const form = page.getByRole("dialog", { name: ledgerStrings.rentalCancel.title });
    await expect(form).toContainText(money(before.balances.available + amount));
    await form.getByLabel(ledgerStrings.rentalCancel.reason).fill("Maquininha devolvida");
    await form.getByRole("button", { name: ledgerStrings.rentalCancel.submit }).click();
    await expect(page.getByRole("status").filter({ hasText: "Aluguel cancelado" })).toContainText(
      money(amount),
    );
    await expect
      .poll(async () => (await balanceAsOf(page, business_id, {})).balances)
      .toEqual({
        ...before.balances,
        available: before.balances.available + amount,
        platform_fees: before.balances.platform_fees - amount,
      });
    await expect(figure(page, accounts.available)).toContainText(money(before.balances.available + amount));
    const refused = page
      .getByRole("row")
      .filter({ hasText: "Recusado" })
      .filter({ hasText: "Maquininha devolvida" });
    await refused
      .first()
      .getByRole("button", { name: /^Ações: aluguel/ })
      .click();
    await expect(cancel).toHaveAttribute("aria-disabled", "true");
    await expect(cancel).toContainText(ledgerStrings.rentalCancel.disabledReasons.status);
  });
});

test.describe("for a commercial supervisor", () => {
  test.use({ storageState: stateOf("supervisor") });

  test("past balances and the journal are readable, but rentals cannot be canceled", async ({
    page,
    baseURL,
  }) => {
    const { id } = await openBalance(page, baseURL, "?tab=journal");
    await choose(page, "2001-01-01T00:00:00.000Z", "recorded");
    await expect(page.getByText(ledgerStrings.journal.emptyTitle)).toBeVisible();
    await page.getByRole("button", { name: words.back }).click();
    const { data } = await journal(page, id, {});
    await expect(page.getByRole("table", { name: ledgerStrings.journal.table }).getByRole("row")).toHaveCount(
      data.length + 1,
    );
    const rental = await findRental(page);
    await page.goto(`${staffUrl(baseURL)}/empresas/${rental.business_id}/saldo?tab=transfers&perPage=100`);
    await page
      .getByRole("button", { name: /^Ações: aluguel/ })
      .first()
      .click();
    const cancel = page.getByRole("menuitem", { name: ledgerStrings.rentalCancel.open });
    await expect(cancel).toHaveAttribute("aria-disabled", "true");
    await expect(cancel).toContainText(balanceStrings.businessBalance.forAdmins);
  });
});
