// A withdrawal in the browser: the seller's form, and its row in the staff's queue.
import { expect, type Page } from "@playwright/test";
import { money } from "../src/format/money";
import { api, chooseItem, openHost, plain, sendFromPage } from "./panel";
import { owner } from "./story-users";

export const form = (page: Page) => page.getByRole("dialog", { name: "Solicitar saque" });
export const amountField = (page: Page) => form(page).getByRole("textbox", { name: "Valor" });
export const passwordField = (page: Page) => form(page).getByLabel("Sua senha");
export const send = (page: Page) => form(page).getByRole("button", { name: /^Solicitar/ });

/** The destination that the form names "Chave PIX". */
const PIX = 1;

const used = new Set<number>();

/**
 * A random amount that identifies its row. The story withdraws whole reais. The last two digits of the net amount must
 * not be 01 to 09, for which the sandbox's bank has rules.
 */
export function uniqueAmount(minimum: number): number {
  const cents = minimum + 1000 + 100 * Math.floor(Math.random() * 900) + 10 + Math.floor(Math.random() * 90);
  if (cents % 100 === 0 || used.has(cents)) return uniqueAmount(minimum);
  used.add(cents);
  return cents;
}

export async function openForm(page: Page) {
  await page.goto("/financeiro");
  await page.getByRole("button", { name: "Solicitar saque" }).click();
  await expect(form(page)).toContainText("Saldo disponível");
  await expect(send(page)).toBeEnabled();
}

export async function fillForm(page: Page, cents: number, password = owner.password) {
  await amountField(page).fill("");
  await amountField(page).pressSequentially(String(cents));
  await form(page).getByRole("radio", { name: "Chave PIX" }).check();
  await passwordField(page).fill(password);
}

/** Requests a withdrawal with the form. */
export async function withdraw(page: Page, cents: number) {
  await openForm(page);
  await fillForm(page, cents);
  await send(page).click();
  await expect(page.getByRole("status").filter({ hasText: "solicitado" })).toContainText(money(cents));
}

/** The destination that is the company's default bank account. */
const BANK_ACCOUNT = 0;

/** Gives the owner's company another default bank account through the API, and requests a withdrawal to it. */
export async function withdrawToNewAccount(page: Page, baseURL: string | undefined, cents: number) {
  const { businesses } = await api.me(page);
  await openHost(page, baseURL ?? "");
  const accounts = `/business/${businesses[0]?.id}/bank-accounts`;
  const account_number = String(Date.now());
  const account = {
    bank_code: "033",
    type: "CHECKING",
    routing_number: "0001",
    account_number,
    account_digit: "9",
  };
  const { bank_accounts } = await sendFromPage<{ bank_accounts: { id: string; account_number: string }[] }>(
    page,
    "POST",
    accounts,
    account,
  );
  const added = bank_accounts.find((each) => each.account_number === account_number);
  await sendFromPage(page, "POST", `${accounts}/${added?.id}/default`, {});
  await requestWithdrawal(page, baseURL, cents, BANK_ACCOUNT);
}

/** Requests a withdrawal through the API, for tests of its later steps. The page then shows no panel. */
export async function requestWithdrawal(
  page: Page,
  baseURL: string | undefined,
  cents: number,
  destination = PIX,
) {
  const { businesses } = await api.me(page);
  const business_id = businesses[0]?.id ?? "";
  await openHost(page, baseURL ?? "");
  await sendFromPage(page, "POST", "/balance/transfers", {
    business_id,
    amount: cents,
    destination,
    password: owner.password,
  });
  await expect
    .poll(async () => (await api.transfers(page, { business_id })).data.map(({ amount }) => amount))
    .toContain(cents);
}

export const rowOf = (page: Page, cents: number) =>
  page
    .getByRole("table", { name: "Lista de saques e cobranças" })
    .getByRole("row")
    .filter({ has: page.getByRole("cell", { name: plain(money(cents)), exact: true }) });

export async function chooseAction(page: Page, cents: number, action: string) {
  await rowOf(page, cents)
    .getByRole("button", { name: /^Ações: / })
    .click();
  await chooseItem(page.getByRole("menuitem", { name: action }));
}
