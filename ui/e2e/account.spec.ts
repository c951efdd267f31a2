// The account of the signed-in seller: sessions, the name, and an e-mail address that is verified and changed.
import { expect } from "@playwright/test";
import { test } from "./clock";
import { linkFor } from "./emails";
import { createSeller } from "./new-seller";
import { signIn } from "./panel";

const home = { name: "Início" };

test("sessions are listed, and one or all others can be ended", async ({ page, browser, baseURL }) => {
  const seller = await createSeller(browser, baseURL);
  const contexts = await Promise.all([
    browser.newContext({
      userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0",
    }),
    browser.newContext({ userAgent: "Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) CriOS/143.0" }),
  ]);
  const [first, second] = await Promise.all(contexts.map((context) => context.newPage()));
  if (!first || !second) throw new Error("no pages");
  for (const each of [page, first, second]) {
    await each.goto(`${baseURL}/login`);
    await signIn(each, seller);
    await expect(each.getByRole("heading", home)).toBeVisible();
  }
  await page.goto("/minha-conta");
  const sessions = page.getByRole("list", { name: "Sessões abertas" }).getByRole("listitem");
  await expect(sessions).toHaveCount(3);
  await expect(sessions.filter({ hasText: "esta sessão" })).toHaveCount(1);

  await page.getByRole("button", { name: "Encerrar a sessão: Firefox no Linux" }).click();
  const question = page.getByRole("dialog", { name: "Encerrar esta sessão?" });
  await expect(question).toContainText("Firefox no Linux");
  await question.getByRole("button", { name: "Encerrar" }).click();
  await expect(sessions).toHaveCount(2);
  await first.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(first).toHaveURL(/\/login\?from=/);

  await page.getByRole("button", { name: "Encerrar todas as outras" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Encerrar" }).click();
  await expect(sessions).toHaveCount(1);
  await expect(page.getByRole("button", { name: "Encerrar todas as outras" })).toHaveAccessibleDescription(
    "Nenhuma outra sessão está aberta.",
  );
  await second.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(second).toHaveURL(/\/login\?from=/);
  await Promise.all(contexts.map((context) => context.close()));
});

test("a new name is saved and appears in the menu", async ({ page, browser, baseURL }) => {
  const seller = await createSeller(browser, baseURL);
  await page.goto("/login");
  await signIn(page, seller);
  await expect(page.getByRole("heading", home)).toBeVisible();
  await page.goto("/minha-conta");
  await page.getByLabel("Nome").fill("Nova Pessoa da Silva");
  await page.getByRole("button", { name: "Salvar" }).click();
  await expect(page.getByRole("button", { name: "Menu de Nova Pessoa da Silva" })).toBeVisible();
  await page.reload();
  await expect(page.getByLabel("Nome")).toHaveValue("Nova Pessoa da Silva");
});

test("an e-mail address is verified by a link, and changed by links to both addresses", async ({
  page,
  browser,
  baseURL,
}) => {
  const seller = await createSeller(browser, baseURL);
  await page.goto("/login");
  await signIn(page, seller);
  await expect(page.getByRole("heading", home)).toBeVisible();
  await page.goto("/minha-conta");
  await expect(page.getByText("Não confirmado", { exact: true })).toBeVisible();
  const verification = await linkFor(seller.email, "/verificar-email");
  await page.goto(verification);
  await expect(page.getByRole("status")).toContainText(seller.email);
  await page.getByRole("link", { name: "Ir para o painel" }).click();
  await page.goto("/minha-conta");
  await expect(page.getByText("Confirmado", { exact: true })).toBeVisible();

  const address = `outra.${seller.email}`;
  await page.getByRole("button", { name: "Trocar e-mail" }).click();
  const form = page.getByRole("dialog", { name: "Trocar e-mail" });
  await form.getByLabel("Novo e-mail").fill(address);
  await form.getByLabel("Sua senha").fill("não é esta");
  await form.getByRole("button", { name: "Enviar link" }).click();
  await expect(form.getByText("Senha incorreta.", { exact: true }).first()).toBeVisible();
  await form.getByLabel("Sua senha").fill(seller.password);
  await form.getByRole("button", { name: "Enviar link" }).click();
  await expect(form).toHaveCount(0);
  const pending = page.getByText(`A troca para ${address}`);
  await expect(pending).toBeVisible();
  const link = await linkFor(address, "/verificar-email");
  await page.goto(link);
  await expect(page.getByRole("status")).toContainText(
    `O e-mail ${address} foi confirmado. Ele passa a valer em`,
  );
  await page.goto("/minha-conta");
  await expect(page.getByText(`A troca para ${address} vale a partir de`)).toBeVisible();
  // The old address approves the change, and the page asks first.
  await page.goto(await linkFor(seller.email, "/verificar-email", "approval="));
  await page.getByRole("button", { name: "Confirmar troca" }).click();
  await expect(page.getByRole("status")).toContainText("já pode ser usado para entrar");
  await page.goto(link);
  await expect(page.getByRole("alert")).toContainText("Este link não é mais válido. Peça outro.");
  await page.getByRole("link", { name: "Ir para Minha conta" }).click();
  await expect(page.getByText(address).first()).toBeVisible();
  await expect(pending).toHaveCount(0);
  await page.goto("/logout");
  await signIn(page, { ...seller, email: address });
  await expect(page.getByRole("heading", home)).toBeVisible();
});
