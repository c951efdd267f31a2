// Users that a test creates for itself, and their forms and lists.
import { expect, type Locator, type Page } from "@playwright/test";

export interface NewUser {
  name: string;
  email: string;
  password: string;
  document: string;
}

let created = 0;

/** A user that no other test and no other run has created. */
export function newUser(name: string): NewUser {
  created += 1;
  const suffix = `${Date.now().toString(36)}${created}`;
  return {
    name: `${name} ${suffix}`,
    email: `teste.${suffix}@exemplo.com.br`,
    password: "uma-senha-de-teste",
    document: "02681177561",
  };
}

export const form = (page: Page, title: string) => page.getByRole("dialog", { name: title });
export const flashMessage = (page: Page, text: string) => page.getByRole("status").filter({ hasText: text });

/** The label of a required field ends with an asterisk. */
const passwordOf = (modal: Locator) => modal.getByLabel(/^Senha/);

export async function fillUser(modal: Locator, user: Partial<NewUser>) {
  if (user.name !== undefined) await modal.getByRole("textbox", { name: "Nome" }).fill(user.name);
  if (user.email !== undefined) await modal.getByRole("textbox", { name: "E-mail" }).fill(user.email);
  if (user.password !== undefined) await passwordOf(modal).fill(user.password);
  if (user.document !== undefined) await modal.getByRole("textbox", { name: "CPF" }).fill(user.document);
}

export async function chooseGroup(page: Page, modal: Locator, group: string) {
  await modal.getByRole("combobox", { name: "Grupo" }).click();
  await page.getByRole("option", { name: group, exact: true }).click();
}

/** Finds a user in the list on the screen, and opens their page. */
export async function openUser(page: Page, { name, email }: Pick<NewUser, "name" | "email">) {
  await page.getByRole("textbox", { name: "Buscar" }).fill(email);
  // A row's link carries the list's address for the way back. So that address must have the search first.
  await expect(page.getByRole("link", { name: /^Abrir o usuário/ })).toHaveCount(1);
  await expect(page).toHaveURL(/search=/);
  await page.getByRole("link", { name: `Abrir o usuário ${name}` }).click();
  await expect(page.getByRole("heading", { name, level: 1 })).toBeVisible();
}

export const history = (page: Page) => page.getByRole("list", { name: "Alterações e acessos" });
