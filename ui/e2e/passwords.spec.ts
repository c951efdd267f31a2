// A forgotten and a changed password, from the e-mail to the other browsers that are signed out.
import { expect } from "@playwright/test";
import { personStrings } from "../src/strings/pt-BR.person";
import { test } from "./clock";
import { emailsTo, linkFor } from "./emails";
import { createSeller } from "./new-seller";
import { signIn } from "./panel";
import { DESKTOP, PHONE } from "./screen-checks";

const home = { name: "Início" };

test("the link of an e-mail replaces a forgotten password once", async ({ page, browser, baseURL }) => {
  const seller = await createSeller(browser, baseURL);
  await page.goto("/login");
  await page.getByRole("link", { name: "Esqueci minha senha" }).click();
  const send = page.getByRole("button", { name: "Enviar link" });
  await send.click();
  await expect(page.getByText(personStrings.emailRequired)).toBeVisible();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  await page.getByLabel("E-mail").fill("nova.pessoa");
  await page.keyboard.press("Enter");
  await expect(page.getByText(personStrings.emailInvalid)).toBeVisible();
  // An unknown address gets the same answer.
  const answers: (string | null)[] = [];
  for (const email of [`ninguem.${seller.email}`, seller.email]) {
    await page.getByLabel("E-mail").fill(email);
    const answered = page.waitForResponse((response) => response.url().endsWith("/auth/forgot-password"));
    await send.click();
    expect((await answered).status()).toBe(202);
    answers.push(await page.getByRole("status").textContent());
  }
  expect(answers[0]).toContain("Se este e-mail estiver cadastrado");
  expect(answers[1]).toBe(answers[0]);

  const link = await linkFor(seller.email, "/resetar-senha");
  expect(emailsTo(`ninguem.${seller.email}`)).toEqual([]);
  expect(new URL(link).origin).toBe(new URL(baseURL ?? "").origin);
  await page.goto(link);
  const newPassword = `${seller.password}-nova`;
  const [passwordField, repeatField] = [
    page.getByLabel("Nova senha", { exact: true }),
    page.getByLabel("Repita a nova senha"),
  ];
  const save = page.getByRole("button", { name: "Salvar nova senha" });
  await passwordField.fill("curta");
  await save.click();
  await expect(page.getByText(personStrings.passwordTooShort)).toBeVisible();
  await expect(page.getByText(personStrings.passwordsDiffer)).toBeVisible();
  await expect(passwordField).toBeFocused();
  await passwordField.fill(newPassword);
  await repeatField.fill(newPassword);
  await save.click();
  await expect(page.getByRole("status").filter({ hasText: "Senha redefinida" })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/login");
  await signIn(page, seller);
  await expect(page.getByRole("alert")).toContainText("E-mail ou senha incorretos.");
  await signIn(page, { ...seller, password: newPassword });
  await expect(page.getByRole("heading", home)).toBeVisible();

  // The link was used, and a signed-in user is sent to the home page.
  await page.goto(link);
  await expect(page.getByRole("heading", home)).toBeVisible();
  await page.goto("/logout");
  await expect(page.getByRole("heading", { name: "Acesse sua conta" })).toBeVisible();
  await page.goto(link);
  await passwordField.fill(newPassword);
  await repeatField.fill(newPassword);
  await save.click();
  await expect(page.getByRole("alert")).toContainText("Este link não é mais válido. Peça outro.");
});

test("after too many attempts the message says how long to wait, and its close button has the focus", async ({
  page,
}) => {
  await page.route("**/api/auth/forgot-password", (route) =>
    route.fulfill({
      status: 429,
      contentType: "application/problem+json",
      headers: { "Retry-After": "590" },
      body: JSON.stringify({ message: "Muitas tentativas." }),
    }),
  );
  await page.goto("/esqueci-minha-senha");
  await page.getByLabel("E-mail").fill("nova.pessoa@exemplo.com.br");
  await page.keyboard.press("Enter");
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("Muitas tentativas. Tente de novo em 10 minutos.");
  await expect(alert.getByRole("button", { name: "Fechar" })).toBeFocused();
});

test("a changed password signs out the other browsers only", async ({ page, browser, baseURL }) => {
  const seller = await createSeller(browser, baseURL);
  const otherBrowser = await browser.newContext();
  const other = await otherBrowser.newPage();
  for (const each of [page, other]) {
    await each.goto(`${baseURL}/login`);
    await signIn(each, seller);
    await expect(each.getByRole("heading", home)).toBeVisible();
  }
  await page.setViewportSize(PHONE);
  await page.goto("/minha-conta");
  const form = page.getByRole("form", { name: "Senha" });
  const change = form.getByRole("button", { name: "Alterar senha" });
  await change.click();
  await expect(form.getByText(personStrings.passwordRequired)).toHaveCount(2);
  await expect(form.getByLabel("Senha atual")).toBeFocused();
  const newPassword = `${seller.password}-nova`;
  await form.getByLabel("Senha atual").fill("não é esta");
  await form.getByLabel("Nova senha", { exact: true }).fill(newPassword);
  await form.getByLabel("Repita a nova senha").fill(newPassword);
  await change.click();
  await expect(form.getByText("Senha incorreta.", { exact: true }).first()).toBeVisible();
  await expect(form.getByLabel("Senha atual")).toBeFocused();
  await form.getByLabel("Senha atual").fill(seller.password);
  await page.keyboard.press("Enter");
  // The message is at the top of a page that is longer than the phone.
  await expect(page.getByRole("status").filter({ hasText: "Senha alterada" })).toBeInViewport();
  await page.setViewportSize(DESKTOP);

  await other.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(other).toHaveURL(/\/login\?from=%2Fvendas$/);
  await page.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(page.getByRole("heading", { name: "Vendas" })).toBeVisible();
  await otherBrowser.close();
});
