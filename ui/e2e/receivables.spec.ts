// The receivables schedule: the screen equals the API to the cent, from the period down to the sale.
import { expect, type Locator, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import * as sheets from "../src/api/sheets.json";
import {
  businessDate,
  businessDateInWords,
  businessToday,
  monthEnd,
  monthStart,
  shiftMonth,
} from "../src/format/dates";
import { fileName } from "../src/format/fileName";
import { money } from "../src/format/money";
import { shortCode } from "../src/format/text";
import { strings } from "../src/strings/pt-BR";
import { receivablesStrings } from "../src/strings/pt-BR.receivables";
import { now } from "./clock";
import { api, chooseBusiness, getFromPage, plain } from "./panel";
import { PHONE } from "./screen-checks";
import { test } from "./signed-in";
import { centsOf, exportSheet } from "./spreadsheet";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];
type Day = Schemas["ReceivablesDay"];
type Query = Record<string, string | number>;

const words = receivablesStrings.receivables;
const TODAY = businessToday(now());
const THIS_MONTH = { start: monthStart(TODAY), end: monthEnd(TODAY) };
/** The serial number of a spreadsheet's day (ECMA-376, 1900 system). */
const serial = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000 + 25_569;

/** Opens the schedule of the company that the user administers, which has future installments. */
async function openSchedule(page: Page, baseURL: string | undefined, search = ""): Promise<string> {
  const business_id = await chooseBusiness(page, baseURL, "admin");
  await page.goto(`/recebimentos${search}`);
  await expect(page.getByRole("heading", { name: "Recebimentos" })).toBeVisible();
  return business_id;
}

const schedule = async (page: Page, query: Query) =>
  (await getFromPage<Schemas["ReceivablesSchedule"]>(page, "/receivables", query)).data;
const units = async (page: Page, query: Query) =>
  (await getFromPage<Schemas["ReceivablesUnitPage"]>(page, "/receivables/units", { ...query, perPage: 100 }))
    .data;

/** All installments of a day, from all pages. */
async function installmentsOf(page: Page, query: Query) {
  const all: Schemas["DueInstallment"][] = [];
  for (let number = 1; ; number += 1) {
    const { data, meta } = await getFromPage<Schemas["DueInstallmentPage"]>(page, "/receivables/sales", {
      ...query,
      page: number,
      perPage: 100,
    });
    all.push(...data);
    if (number >= meta.total_pages) return all;
  }
}

const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) =>
  rows.reduce((total, row) => total + of(row), 0);
const scheduled = (day: Pick<Day, "expected" | "settled" | "accelerated">) =>
  day.expected - day.settled - day.accelerated;

const pageOf = (within: Page | Locator): Page => ("mouse" in within ? within : within.page());

/** The figure of a period or of a day, by its label. */
const figure = (within: Page | Locator, list: string, label: string) =>
  within
    .getByLabel(list)
    .locator("div")
    .filter({ has: pageOf(within).getByText(label, { exact: true }) });

async function expectSums(
  within: Page | Locator,
  list: string,
  days: readonly Omit<Day, "count" | "due_date">[],
) {
  for (const [label, of] of [
    [list === words.figures ? words.expected : words.days.columns.expected, (day: Day) => day.expected],
    [words.settled, (day: Day) => day.settled],
    [words.accelerated, (day: Day) => day.accelerated],
    [words.scheduled, scheduled],
  ] as const) {
    await expect(figure(within, list, label)).toContainText(money(sum(days as Day[], of)));
  }
}

const grid = (page: Page) => page.getByRole("grid");
const cell = (page: Page, date: string) =>
  grid(page).getByRole("button", { name: new RegExp(`^${businessDateInWords(date)}:`) });
const dialog = (page: Page) => page.getByRole("dialog", { name: /^Parcelas de/ });
const dataRows = (within: Page | Locator, name: string) =>
  within
    .getByRole("table", { name, exact: true })
    .getByRole("row")
    .filter({ has: pageOf(within).getByRole("link") });

/** The day with the most installments. */
function busiest(days: readonly Day[]): Day {
  const found = days.toSorted((one, other) => other.count - one.count)[0];
  if (!found) throw new Error("nothing is due in the period");
  return found;
}

test.describe("for an administrator of the company", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("the calendar shows each day's amount and status", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL);
    const days = await schedule(page, { business_id, ...THIS_MONTH });
    expect(days.length).toBeGreaterThan(5);
    await expectSums(page, words.figures, days);
    await expect(grid(page).locator("button:not([aria-disabled])")).toHaveCount(days.length);
    await expect(grid(page).getByRole("button")).toHaveCount(Number(THIS_MONTH.end.slice(-2)));
    for (const day of days) {
      await expect(cell(page, day.due_date)).toContainText(money(day.expected));
      const state =
        scheduled(day) > 0
          ? day.settled > 0
            ? "Parcialmente liquidado"
            : "Agendado"
          : /Liquidado|Antecipado por/;
      await expect(cell(page, day.due_date)).toContainText(state);
    }
  });

  test("the list has the same days, in both orders", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL, "?view=list&perPage=100");
    const days = await schedule(page, { business_id, ...THIS_MONTH });
    const rows = dataRows(page, words.days.table);
    const texts = async () =>
      (await rows.all()).length === days.length &&
      Promise.all(
        (await rows.all()).map(async (row) => (await row.getByRole("cell").allTextContents()).map(plain)),
      );
    const expected = days.map((day) => [
      businessDate(day.due_date),
      businessDate(day.due_date, "dddd"),
      String(day.count),
      ...[day.expected, day.settled, day.accelerated, scheduled(day)].map((cents) => plain(money(cents))),
    ]);
    await expect.poll(texts).toEqual(expected);
    await page.getByRole("button", { name: "Data prevista" }).click();
    await expect(page).toHaveURL(/order=desc/);
    await expect.poll(texts).toEqual(expected.toReversed());
  });

  test("all scheduled amounts add up to the receivable balance", async ({ page, baseURL }) => {
    const start = shiftMonth(TODAY, -11);
    const end = monthEnd(shiftMonth(TODAY, 12));
    const business_id = await openSchedule(page, baseURL, `?view=list&start=${start}&end=${end}`);
    const { receivable } = await api.balance(page, business_id);
    expect(receivable).toBeGreaterThan(0);
    await expect(figure(page, words.figures, words.scheduled)).toContainText(money(receivable));
  });

  test("a day opens its installments, and an installment opens its sale", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL);
    const days = await schedule(page, { business_id, ...THIS_MONTH });
    const day = busiest(days);
    await cell(page, day.due_date).click();
    await expect(page).toHaveURL(new RegExp(`day=${day.due_date}`));
    await expectSums(dialog(page), words.installments.figures, [day]);

    const due = await installmentsOf(page, { business_id, date: day.due_date });
    expect(due).toHaveLength(day.count);
    expect(sum(due, ({ net }) => net)).toBe(day.expected);
    for (const [status, cents] of [
      ["settled", day.settled],
      ["accelerated", day.accelerated],
      ["scheduled", scheduled(day)],
    ] as const) {
      expect(
        sum(
          due.filter((part) => part.status === status),
          ({ net }) => net,
        ),
      ).toBe(cents);
    }
    const rows = dataRows(dialog(page), words.installments.table);
    await expect(rows).toHaveCount(Math.min(20, due.length));
    await dialog(page).getByRole("combobox", { name: strings.list.perPage }).click();
    await page.getByRole("option", { name: "50", exact: true }).click();
    await expect(rows).toHaveCount(Math.min(50, due.length));
    const first = due[0];
    if (!first) throw new Error("the day has no installment");
    await expect(rows.first()).toContainText(`${first.number} de ${first.installments}`);
    await expect(rows.first()).toContainText(money(first.gross));
    await expect(rows.first()).toContainText(money(first.net));

    await rows.first().getByRole("link").click();
    await expect(page.getByRole("heading", { name: `Venda ${shortCode(first.sale_id)}` })).toBeVisible();
    const row = page
      .getByRole("table", { name: "Recebimentos" })
      .getByRole("row")
      .filter({ hasText: `${first.number}/${first.installments}` });
    await expect(row).toContainText(businessDate(day.due_date));
    await expect(row).toContainText(money(first.net));
    await page.goBack();
    await expect(dialog(page)).toBeVisible();
  });

  test("units add up to their day, and installments to their unit", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL);
    const day = busiest(await schedule(page, { business_id, ...THIS_MONTH }));
    const period = { start: day.due_date, end: day.due_date };
    const expected = await units(page, { business_id, ...period });
    expect(expected.length).toBeGreaterThan(1);
    for (const part of ["expected", "settled", "accelerated"] as const) {
      expect(
        sum(expected, (unit) => unit[part]),
        part,
      ).toBe(day[part]);
    }
    expect(sum(expected, ({ installments }) => installments)).toBe(day.count);

    await page.goto(`/recebimentos?view=units&start=${period.start}&end=${period.end}&perPage=100`);
    const rows = dataRows(page, words.units.table);
    await expect(rows).toHaveCount(expected.length);
    await expectSums(page, words.figures, [day]);
    for (const [index, unit] of expected.entries()) {
      await expect(rows.nth(index)).toContainText(unit.holder.name);
      await expect(rows.nth(index)).toContainText(money(unit.expected));
    }
    const unit = expected.toSorted((one, other) => one.installments - other.installments)[0];
    if (!unit) throw new Error("the day has no unit");
    await rows.nth(expected.indexOf(unit)).getByRole("link").click();
    await expectSums(dialog(page), words.installments.figures, [unit]);
    await expect(dataRows(dialog(page), words.installments.table)).toHaveCount(
      Math.min(20, unit.installments),
    );
    const due = await installmentsOf(page, {
      business_id,
      date: unit.due_date,
      provider: unit.acquirer,
      paymentType: unit.payment_type,
      ...(unit.card_brand && { brand: unit.card_brand }),
    });
    expect(sum(due, ({ net }) => net)).toBe(unit.expected);
  });

  test("the spreadsheets of days, units and installments equal the API", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL);
    const { businesses } = await api.me(page);
    const name = businesses.find(({ id }) => id === business_id)?.name;
    const days = await schedule(page, { business_id, ...THIS_MONTH });
    await expect(grid(page)).toHaveAttribute("aria-busy", "false");
    const sheet = await exportSheet(page);
    expect(sheet.file).toBe(`${fileName(words.days.file, name, now())}.xlsx`);
    expect([sheet.sheets, sheet.titles]).toEqual([["Sheet1"], Object.values(sheets.receivables)]);
    const amounts = (row: (typeof sheet.rows)[number]) =>
      [
        row["Data prevista"],
        centsOf(row.Total),
        centsOf(row.Liquidado),
        centsOf(row["Antecipado por cancelamento"]),
        row.Parcelas,
      ] as const;
    expect(sheet.rows.map(amounts)).toEqual(
      days.map((day) => [serial(day.due_date), day.expected, day.settled, day.accelerated, day.count]),
    );

    await page.getByRole("tab", { name: words.view.units }).click();
    await expect(dataRows(page, words.units.table).first()).toBeVisible();
    const saved = await exportSheet(page);
    expect(saved.file).toBe(`${fileName(words.units.file, name, now())}.xlsx`);
    expect(saved.titles).toEqual(Object.values(sheets.receivableUnits));
    const expected = await units(page, { business_id, ...THIS_MONTH });
    expect(saved.rows.slice(0, 100).map(amounts)).toEqual(
      expected.map((unit) => [
        serial(unit.due_date),
        unit.expected,
        unit.settled,
        unit.accelerated,
        unit.installments,
      ]),
    );
    expect(sum(saved.rows, (row) => centsOf(row.Total))).toBe(sum(days, ({ expected }) => expected));

    const day = busiest(days);
    await page.goto(`/recebimentos?day=${day.due_date}`);
    await expect(dataRows(dialog(page), words.installments.table).first()).toBeVisible();
    const parts = await exportSheet(page, dialog(page));
    expect(parts.file).toBe(`${fileName(words.installments.file(day.due_date), name, now())}.xlsx`);
    expect(parts.titles).toEqual(Object.values(sheets.dueInstallments));
    const due = await installmentsOf(page, { business_id, date: day.due_date });
    expect(
      parts.rows.map((row) => [row.Venda, centsOf(row["Valor bruto"]), centsOf(row["Valor líquido"])]),
    ).toEqual(due.map(({ sale_id, gross, net }) => [shortCode(sale_id), gross, net]));
  });

  test("view, period and the open day are in the address", async ({ page, baseURL }) => {
    await openSchedule(page, baseURL);
    await page.getByRole("button", { name: words.nextMonth }).click();
    const next = shiftMonth(TODAY, 1);
    const name = words.calendarOf(businessDate(next, "MMMM [de] YYYY"));
    await expect(page.getByRole("grid", { name })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`start=${next}`));
    await page.getByRole("tab", { name: words.view.list }).click();
    await expect(page).toHaveURL(/view=list/);
    const period = page.getByRole("button", { name: "Período (Brasília)", exact: true });
    await expect(period).toContainText(`${businessDate(next)} a ${businessDate(monthEnd(next))}`);
    await dataRows(page, words.days.table).first().getByRole("link").click();
    await expect(dialog(page)).toBeVisible();
    await page.reload();
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await page.getByRole("tab", { name: words.view.calendar }).click();
    await expect(page.getByRole("grid", { name })).toBeVisible();
    await page.getByRole("button", { name: words.thisMonth }).click();
    await expect(page).not.toHaveURL(/start=/);
    await page.goBack();
    await expect(page.getByRole("grid", { name })).toBeVisible();
  });

  test("arrow keys move between days and months, and Enter opens a day", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL);
    const days = await schedule(page, { business_id, ...THIS_MONTH });
    await expect(grid(page)).toHaveAttribute("aria-busy", "false");
    // Only one day is in the tab order.
    await expect(grid(page).locator("button[tabindex='0']")).toHaveCount(1);
    await page.getByRole("button", { name: strings.list.export }).focus();
    await page.keyboard.press("Tab");
    await expect(cell(page, TODAY)).toBeFocused();
    await expect(cell(page, TODAY)).toHaveAttribute("aria-current", "date");
    await page.goto("/recebimentos?start=2027-03-01&end=2027-03-31");
    await cell(page, "2027-03-31").focus();
    for (const [key, date] of [
      ["Home", "2027-03-28"],
      ["End", "2027-04-03"],
      ["ArrowLeft", "2027-04-02"],
      ["ArrowUp", "2027-03-26"],
      ["ArrowDown", "2027-04-02"],
      ["PageUp", "2027-03-02"],
      ["ArrowLeft", "2027-03-01"],
      ["ArrowLeft", "2027-02-28"],
      ["PageDown", "2027-03-28"],
      ["ArrowRight", "2027-03-29"],
      ["PageUp", "2027-02-28"],
    ] as const) {
      await page.keyboard.press(key);
      await expect(cell(page, date), key).toBeFocused();
    }
    await expect(page).toHaveURL(/start=2027-02-01/);
    await page.goto("/recebimentos");
    const day = busiest(days);
    await cell(page, day.due_date).focus();
    await page.keyboard.press("Enter");
    await expect(dialog(page)).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(dialog(page)).toHaveCount(0);
    await expect(cell(page, day.due_date)).toBeFocused();
  });
});

test.describe("on a phone", () => {
  test.use({ storageState: stateOf("adminAndOperator"), viewport: PHONE });

  test("the month is a list of its days", async ({ page, baseURL }) => {
    const business_id = await openSchedule(page, baseURL);
    const days = await schedule(page, { business_id, ...THIS_MONTH });
    await expect(grid(page)).toHaveCount(0);
    const list = page.getByRole("list", { name: /^Recebimentos de/ });
    await expect(list.getByRole("listitem")).toHaveCount(days.length);
    for (const [index, day] of days.entries()) {
      await expect(list.getByRole("listitem").nth(index)).toContainText(money(day.expected));
    }
    await list.getByRole("button").first().click();
    await expect(dialog(page)).toBeVisible();
    await expect(dialog(page).getByRole("list", { name: words.installments.table })).toBeVisible();
  });
});
