// Signing in and out, the way back to where one came from, and a session that comes and goes.
import { expect, type Page } from "@playwright/test";
import { test } from "./clock";
import { signIn, staffUrl } from "./panel";
import { operator, owner } from "./team";

const heading = { name: "Início" };

async function signInAsOperator(page: Page) {
  await page.goto("/login");
  await signIn(page, operator);
  await expect(page.getByRole("heading", heading)).toBeVisible();
}

test("a wrong password is answered with the gateway's words, which can be closed", async ({ page }) => {
  await page.goto("/login");
  await signIn(page, { email: owner.email, password: `${owner.password}?` });
  const alert = page.getByRole("alert");
  await expect(alert).toContainText("E-mail ou senha incorretos.");
  await alert.getByRole("button", { name: "Fechar" }).click();
  await expect(alert).toBeHidden();
  expect(new URL(page.url()).pathname).toBe("/login");
});

test("empty fields are refused before anything is sent", async ({ page }) => {
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
});

test("login returns to the page that asked for it, and logout ends the session", async ({ page }) => {
  await page.goto("/vendas?status=succeeded");
  await expect(page).toHaveURL(/\/login\?from=/);
  await signIn(page, operator);
  await expect(page).toHaveURL(/\/vendas\?status=succeeded$/);

  await page.goto("/login");
  await expect(page.getByRole("heading", heading)).toBeVisible();

  await page.getByRole("button", { name: `Menu de ${operator.name}` }).click();
  await page.getByRole("menuitem", { name: "Sair" }).click();
  await expect(page).toHaveURL(/\/login$/);
  await page.goto("/vendas");
  await expect(page).toHaveURL(/\/login\?from=%2Fvendas$/);
});

test("a foreign address in `from` is not followed", async ({ page, baseURL }) => {
  await page.goto(`/login?from=${encodeURIComponent("https://example.com/")}`);
  await signIn(page, operator);
  await expect(page.getByRole("heading", heading)).toBeVisible();
  expect(new URL(page.url()).origin).toBe(new URL(baseURL ?? "").origin);
});

/** Of the list, once it is there. */
const sales = (page: Page) => page.getByRole("link", { name: /^Abrir a venda/ });

test("a page that is left while it loads signs nobody out", async ({ page }) => {
  await signInAsOperator(page);
  const signedOut: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/auth/logout")) signedOut.push(request.url());
  });
  // Who the person is, is never answered to the first page.
  await page.route("**/api/sellers/me", () => undefined, { times: 1 });
  const asked = page.waitForRequest("**/api/sellers/me");
  await page.goto("/");
  await asked;
  await page.goto("/vendas");
  await expect(sales(page).first()).toBeVisible();
  expect(signedOut).toEqual([]);
});

test("a spent access token is renewed once, unseen", async ({ page, context }) => {
  await signInAsOperator(page);
  const renewals: number[] = [];
  page.on("response", (response) => {
    if (response.url().endsWith("/auth/refresh-token")) renewals.push(response.status());
  });
  // What the first screen still asks for may be what renews it.
  await context.clearCookies({ name: "access_token" });
  // In mid-work: nothing is loaded anew, and what is asked for comes.
  await page.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(sales(page).first()).toBeVisible();
  await expect(page.getByRole("alert")).toHaveCount(0);
  expect(renewals).toEqual([200]);
});

test("two tabs that renew at once sign nobody out", async ({ page, context }) => {
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
    // Whoever comes second finds the work done, unless the browser has not told its tab so yet: then it is done twice.
    expect(renewals.length).toBeLessThanOrEqual(2);
    expect(new Set(renewals)).toEqual(new Set([200]));
    for (const tab of [page, other]) tab.removeAllListeners("response");
  }
});

test("without a refresh token the session is over, and login leads back", async ({ page, context }) => {
  await signInAsOperator(page);
  await context.clearCookies({ name: /^(access|refresh)_token$/ });
  await page.getByRole("link", { name: "Vendas", exact: true }).click();
  await expect(page).toHaveURL(/\/login\?from=%2Fvendas$/);
  await signIn(page, operator);
  await expect(page).toHaveURL(/\/vendas$/);
  await expect(page.getByRole("heading", { name: "Vendas" })).toBeVisible();
});

test("a lost connection while asking who is signed in leads to login", async ({ page }) => {
  await signInAsOperator(page);
  await page.route("**/api/sellers/me", (route) => route.abort());
  await page.goto("/vendas");
  await expect(page).toHaveURL(/\/login\?from=%2Fvendas$/);
});

test("a gateway that cannot say who is signed in gets a reload after six seconds", async ({ page }) => {
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

test("the staff's host shows the staff's login", async ({ page, baseURL }) => {
  await page.goto(`${staffUrl(baseURL)}/`);
  await expect(page.getByRole("heading", { name: "Acesso da equipe" })).toBeVisible();
});

test("a page of neither panel asks nobody who they are", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/")) asked.push(request.url());
  });
  await page.goto("/pl/ABCDEF123456");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  expect(new URL(page.url()).pathname).toBe("/pl/ABCDEF123456");
  expect(asked).toEqual([]);
});
