// Sign-in and sign-out, the return to the requested page, and the renewal of a session.
import { expect, type Page } from "@playwright/test";
import { test } from "./clock";
import { chooseItem, openWithinPanel, signIn, staffUrl } from "./panel";
import { administrator, operator, owner } from "./story-users";

const heading = { name: "Início" };

async function signInAsOperator(page: Page) {
  await page.goto("/login");
  await signIn(page, operator);
  await expect(page.getByRole("heading", heading)).toBeVisible();
}

test("an empty form is refused without a request, and a wrong password by the gateway", async ({ page }) => {
  let sent = 0;
  page.on("request", (request) => {
    if (request.url().endsWith("/auth/sign-in")) sent += 1;
  });
  await page.goto("/login");
  await page.getByRole("button", { name: "Entrar" }).click();
  await expect(page.getByText("Email é requerido.")).toBeVisible();
  await expect(page.getByText("Senha é requerida.")).toBeVisible();
  await expect(page.getByLabel("E-mail")).toBeFocused();
  expect(sent).toBe(0);
  await signIn(page, { email: owner.email, password: `${owner.password}?` });
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("E-mail ou senha incorretos.");
  await alert.getByRole("button", { name: "Fechar" }).click();
  await expect(alert).toBeHidden();
  expect(new URL(page.url()).pathname).toBe("/login");
});

test("login returns to the requested page, and logout ends the session", async ({ page }) => {
  await page.goto("/vendas?status=succeeded");
  await expect(page).toHaveURL(/\/login\?from=/);
  await signIn(page, operator);
  await expect(page).toHaveURL(/\/vendas\?status=succeeded$/);

  await page.goto("/login");
  await expect(page.getByRole("heading", heading)).toBeVisible();

  await page.getByRole("button", { name: `Menu de ${operator.name}` }).click();
  await chooseItem(page.getByRole("menuitem", { name: "Sair" }));
  await expect(page).toHaveURL(/\/login$/);
  await page.goto("/vendas");
  await expect(page).toHaveURL(/\/login\?from=%2Fvendas$/);
});

test("a draft of a user who signed out and in again in the same tab survives a reload", async ({
  page,
  baseURL,
}) => {
  const address = new URL(`${staffUrl(baseURL)}/empresas/nova`);
  await page.goto(address.href);
  await signIn(page, administrator);
  const name = page.getByLabel("Nome", { exact: true });
  await expect(name).toBeVisible();
  await page.getByRole("button", { name: `Menu de ${administrator.name}` }).click();
  await chooseItem(page.getByRole("menuitem", { name: "Sair" }));
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page, administrator);
  await expect(page.getByRole("heading", { name: /^Olá, / })).toBeVisible();
  await openWithinPanel(page, address);
  await name.fill("Bia Lima");
  await page.reload();
  await expect(name).toHaveValue("Bia Lima");
});

/** The rows of the list of sales. */
const sales = (page: Page) => page.getByRole("link", { name: /^Abrir a venda/ });

test("leaving a page while it loads does not sign the user out", async ({ page }) => {
  await signInAsOperator(page);
  const signedOut: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/auth/logout")) signedOut.push(request.url());
  });
  // The first page never gets an answer to who the user is.
  await page.route("**/api/sellers/me", () => undefined, { times: 1 });
  const asked = page.waitForRequest("**/api/sellers/me");
  await page.goto("/");
  await asked;
  await page.goto("/vendas");
  await expect(sales(page).first()).toBeVisible();
  expect(signedOut).toEqual([]);
});

test("a missing access token is renewed once, and the user does not notice", async ({ page, context }) => {
  await signInAsOperator(page);
  const renewals: number[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/auth/refresh-token")) renewals.push(response.status());
  });
  // A pending read of the first screen may be the one that renews the token.
  await context.clearCookies({ name: "access_token" });
  await page.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(sales(page).first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(renewals).toEqual([200]);
});

test("two tabs that renew at once stay signed in", async ({ page, context }) => {
  await signInAsOperator(page);
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("heading", heading)).toBeVisible();
  for (let round = 0; round < 2; round += 1) {
    const renewals: number[] = [];
    for (const tab of [page, other])
      tab.on("response", (response) => {
        if (response.url().endsWith("/auth/refresh-token")) renewals.push(response.status());
      });
    await context.clearCookies({ name: "access_token" });
    await Promise.all([page, other].map((tab) => tab.goto("/vendas")));
    for (const tab of [page, other]) await expect(sales(tab).first()).toBeVisible();
    // The second tab usually sees the first one's renewal. If the browser has not reported it yet, both renew.
    expect(renewals.length).toBeLessThanOrEqual(2);
    expect(new Set(renewals)).toEqual(new Set([200]));
    for (const tab of [page, other]) tab.removeAllListeners("response");
  }
});

test("without a refresh token the session ends, and login returns to the page", async ({ page, context }) => {
  await signInAsOperator(page);
  await context.clearCookies({ name: /^(access|refresh)_token$/ });
  await page.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(page).toHaveURL(/\/login\?from=%2Fvendas$/);
  await signIn(page, operator);
  await expect(page).toHaveURL(/\/vendas$/);
  await expect(page.getByRole("heading", { name: "Vendas" })).toBeVisible();
});

test("signing out in one tab signs out the others", async ({ page, context }) => {
  await signInAsOperator(page);
  const other = await context.newPage();
  await other.goto("/");
  await expect(other.getByRole("heading", heading)).toBeVisible();
  await other.goto("/logout");
  await expect(other).toHaveURL(/\/login$/);
  await expect(page).toHaveURL(/\/login$/);
});

test("a form with typed values asks before a link leaves it, and keeps them when the session ends", async ({
  page,
  context,
}) => {
  await signInAsOperator(page);
  await page.goto("/links-de-pagamento/novo");
  const description = page.getByRole("form", { name: "Dados do link" }).getByLabel("Descrição");
  await description.fill("Bolo de festa");
  const questions: string[] = [];
  page.on("dialog", (dialog) => {
    questions.push(dialog.message());
    void dialog.dismiss();
  });
  await page.getByRole("link", { name: "Vendas", exact: true }).click();
  expect(questions).toEqual(["Descartar o que você preencheu?"]);
  await expect(description).toHaveValue("Bolo de festa");
  await page.getByRole("textbox", { name: "Valor", exact: true }).fill("180,00");
  await context.clearCookies({ name: /^(access|refresh)_token$/ });
  await page.getByRole("button", { name: "Criar link" }).click();
  await expect(page).toHaveURL(/\/login\?from=/);
  await signIn(page, operator);
  await expect(description).toHaveValue("Bolo de festa");
  expect(questions).toHaveLength(1);
});

test("a connection lost while reading the user leads to login", async ({ page }) => {
  await signInAsOperator(page);
  await page.route("**/api/sellers/me", (route) => route.abort());
  await page.goto("/vendas");
  await expect(page).toHaveURL(/\/login\?from=%2Fvendas$/);
});

test("a server error while reading the user reloads the page after six seconds", async ({ page }) => {
  await page.clock.install();
  let asked = 0;
  await page.route("**/api/sellers/me", (route) => {
    asked += 1;
    return route.fulfill({
      status: 503,
      json: { status: 503, title: "x", type: "about:blank", message: "x" },
    });
  });
  await page.goto("/");
  await expect(page.getByText("Loading...")).toBeVisible();
  const before = asked;
  const reloaded = page.waitForEvent("load");
  await page.clock.fastForward(6000);
  await reloaded;
  await expect.poll(() => asked).toBeGreaterThan(before);
});

test("staff sign in on the staff's host", async ({ page, baseURL }) => {
  await page.goto(`${staffUrl(baseURL)}/`);
  await expect(page.getByRole("heading", { name: "Acesso da equipe" })).toBeVisible();
  await signIn(page, administrator);
  await expect(page.getByRole("heading", { name: `Olá, ${administrator.name}` })).toBeVisible();
});

test("a link's page reads the link and nothing else", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(request.url());
  });
  await page.goto("/pl/ABCDEF123456");
  await expect(page.getByRole("heading", { name: "Link não encontrado" })).toBeVisible();
  expect(new Set(asked.map((url) => new URL(url).pathname))).toEqual(new Set(["/api/pl/ABCDEF123456"]));
});
