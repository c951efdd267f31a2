// Common steps of the tests of card machines.
import { expect, type Page } from "@playwright/test";
import { chooseItem, getFromPage, sendFromPage } from "./panel";
import { server } from "./servers";

interface TokenIssue {
  serial_number?: string;
  valid_seconds?: number;
}

/** A token that the sandbox issues for a machine. */
export async function issueToken(page: Page, issue: TokenIssue): Promise<string> {
  const answer = await page.request.post(`${server.sandbox}/sandbox/terminal-tokens`, { data: issue });
  expect(answer.status()).toBe(201);
  return ((await answer.json()) as { token: string }).token;
}

let machines = 0;

/** A serial number that no other test uses. */
export function newSerial(): string {
  machines += 1;
  return `TST${process.pid}${String(machines).padStart(4, "0")}`;
}

export interface Company {
  id: string;
  name: string;
}

/** The story's companies, by name. */
export async function companies(page: Page): Promise<Company[]> {
  return (await getFromPage<{ data: Company[] }>(page, "/admin/businesses/list")).data;
}

/** Enables a machine through the API, from a page of the staff's panel. */
export async function enableMachine(page: Page, company: Company): Promise<string> {
  const serial_number = newSerial();
  const token = await issueToken(page, { serial_number });
  await sendFromPage(page, "POST", `/admin/businesses/${company.id}/terminals`, { token, serial_number });
  return serial_number;
}

/** Opens the list with one machine. */
export async function openMachine(page: Page, home: string, serial: string) {
  await page.goto(`${home}/terminais?serial=${serial}`);
  await expect(page.getByRole("link", { name: `Abrir a maquininha ${serial}` })).toBeVisible();
}

export async function chooseRowAction(page: Page, row: string, action: string) {
  await page.getByRole("button", { name: `Ações: ${row}` }).click();
  await chooseItem(page.getByRole("menuitem", { name: action }));
}
