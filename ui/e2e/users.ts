// Users that a test creates for itself, and their forms and lists.
import { expect, type Locator, type Page } from "@playwright/test";

export interface NewPerson {
  name: string;
  email: string;
  password: string;
  document: string;
}

let made = 0;

/** A user that no other test and no other run has created. */
export function somebody(name: string): NewPerson {
  made += 1;
  const mark = `${Date.now().toString(36)}${made}`;
  return {
    name: `${name} ${mark}`,
    email: `teste.${mark}@exemplo.com.br`,
    password: "uma-senha-de-teste",
    document: "02681177561",
  };
}

/** Sends a change to the gateway of the page's host, like the panel. */
export async function sendHere<Body>(page: Page, method: string, path: string, body: object): Promise<Body> {
  return (await page.evaluate(
    async ([verb, address, sent]) => {
      const { csrfToken } = (await (await fetch("/api/auth/get-csrf-token")).json()) as { csrfToken: string };
      const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrfToken };
      const response = await fetch(address, { method: verb, headers, body: sent });
      if (!response.ok) throw new Error(`${verb} ${address}: ${response.status} ${await response.text()}`);
      return response.json();
    },
    [method, `/api${path}`, JSON.stringify(body)] as const,
  )) as Body;
}

export const form = (page: Page, title: string) => page.getByRole("dialog", { name: title });
export const flashMessage = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

/** The label of a required password field. */
const passwordOf = (modal: Locator) => modal.getByLabel(/^Senha/);

export async function fillPerson(modal: Locator, person: Partial<NewPerson>) {
  if (person.name !== undefined) await modal.getByRole("textbox", { name: "Nome" }).fill(person.name);
  if (person.email !== undefined) await modal.getByRole("textbox", { name: "E-mail" }).fill(person.email);
  if (person.password !== undefined) await passwordOf(modal).fill(person.password);
  if (person.document !== undefined) await modal.getByRole("textbox", { name: "CPF" }).fill(person.document);
}

export async function chooseGroup(page: Page, modal: Locator, group: string) {
  await modal.getByRole("combobox", { name: "Grupo" }).click();
  await page.getByRole("option", { name: group, exact: true }).click();
}

/** Finds a user in the list on the screen, and opens their page. */
export async function openUser(page: Page, { name, email }: Pick<NewPerson, "name" | "email">) {
  await page.getByRole("textbox", { name: "Buscar" }).fill(email);
  // A row's link contains the address of its list.
  await expect(page.getByRole("link", { name: /^Abrir o usuário/ })).toHaveCount(1);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole("link", { name: `Abrir o usuário ${name}` }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

export const history = (page: Page) => page.getByRole("list", { name: "Alterações e acessos" });
