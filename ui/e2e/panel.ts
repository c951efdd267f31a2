// Common steps of the browser tests: sign in, call the gateway, choose a company, change the theme.
import { expect, type Locator, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";

type Schemas = components["schemas"];

/** The address of the staff's panel, which has its own host name. */
export function staffUrl(baseURL: string | undefined): string {
  const url = new URL(baseURL ?? "http://localhost:8080");
  url.hostname = "admin.localhost";
  return url.origin;
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }) {
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Senha", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Entrar" }).click();
}

async function get<Body>(
  page: Page,
  path: string,
  query: Record<string, string | number> = {},
): Promise<Body> {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  const response = await page.request.get(`/api${path}?${search}`);
  expect(response.status(), path).toBe(200);
  return (await response.json()) as Body;
}

export const api = {
  me: (page: Page) => get<Schemas["Seller"]>(page, "/sellers/me"),
  overview: (page: Page, business_id: string) => get<Schemas["Overview"]>(page, "/overview", { business_id }),
  sales: (page: Page, query: Record<string, string | number>) =>
    get<Schemas["SalePage"]>(page, "/transactions", query),
  totals: (page: Page, query: Record<string, string | number>) =>
    get<Schemas["SaleTotals"]>(page, "/transactions/totals", query),
  balance: async (page: Page, business_id: string) =>
    (await get<Schemas["BalanceSummary"]>(page, "/balance/history", { business_id, totals: 1 })).totals,
  statement: (page: Page, query: Record<string, string | number>) =>
    get<{ data: Schemas["BalanceMovement"][]; meta: Schemas["PageMeta"] }>(page, "/balance/history", query),
  quote: (page: Page, business_id: string) =>
    get<Schemas["TransferQuote"]>(page, "/balance/transfers/quote", { business_id }),
  transfers: (page: Page, query: Record<string, string | number>) =>
    get<Schemas["TransferPage"]>(page, "/balance/transfers", query),
  sale: (page: Page, id: string, business_id: string) =>
    get<Schemas["SaleDetail"]>(page, `/transactions/${id}`, { business_id, receivables: 1 }),
};

/** The first company with that many statement lines, from a page of the staff's panel. Tests create companies without. */
export async function companyWithLines(page: Page, lines: number): Promise<{ id: string; name: string }> {
  const { data } = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
  for (const company of data) {
    const query = { business_id: company.id, perPage: 1 };
    const { meta } = await getFromPage<Schemas["AdminBalancePage"]>(page, "/admin/balance/history", query);
    if (meta.total >= lines) return company;
  }
  throw new Error(`no company has ${lines} statement lines`);
}

/** The title of a screen, once it has replaced the screen before it. */
export const NEW_TITLE = "main h1:not([data-last-screen])";

/**
 * Opens the first screen by its address, and each other screen within the loaded panel, which is faster. A change of
 * the query string alone loads the panel again, because the title would stay.
 */
export async function openWithinPanel(page: Page, address: URL) {
  const isLoaded = (await page.locator("main h1").count()) > 0;
  const { origin, pathname } = new URL(page.url());
  if (!isLoaded || origin !== address.origin || pathname === address.pathname) {
    await page.goto(address.href);
    return;
  }
  await page.evaluate((target) => {
    document.querySelector("main h1")?.setAttribute("data-last-screen", "");
    window.history.pushState(null, "", target);
    window.dispatchEvent(new PopStateEvent("popstate"));
  }, address.href);
}

/** Opens a page of a host without the panel's scripts, only to call the host's API from it. */
export async function openHost(page: Page, origin: string) {
  await page.route("**/assets/**", (route) => route.abort());
  await page.goto(`${origin}/login`);
  await page.unroute("**/assets/**");
}

/** Reads from the gateway of the page's own host. The browser resolves names such as admin.localhost. */
export async function getFromPage<Body>(
  page: Page,
  path: string,
  query: Record<string, string | number> = {},
): Promise<Body> {
  const search = new URLSearchParams(Object.entries(query).map(([key, value]) => [key, String(value)]));
  return (await page.evaluate(async (address) => {
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return response.json();
  }, `/api${path}?${search}`)) as Body;
}

/** Sends a change to the gateway of the page's own host, like the panel. */
export async function sendFromPage<Body>(
  page: Page,
  method: string,
  path: string,
  body: object,
): Promise<Body> {
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

/** Makes the panel act for the company in which the signed-in seller user has `role`, and returns its id. */
export async function chooseBusiness(
  page: Page,
  baseURL: string | undefined,
  role: Schemas["SellerRole"],
): Promise<string> {
  const { businesses } = await api.me(page);
  const business = businesses.find((each) => each.role === role);
  if (!business) throw new Error(`the user has no company in the role ${role}`);
  await page.context().addCookies([{ name: "current_business", value: business.id, url: baseURL ?? "" }]);
  return business.id;
}

/** The zone of the story's tenant, for users who chose none. */
export const STORY_ZONE = "America/Sao_Paulo";

/** Text of the screen with ordinary spaces: `money` uses no-break ones. */
export const plain = (text: string) => text.replaceAll("\u00a0", " ");

/** "R$ 1.234,56" → 123456 */
export function cents(text: string): number {
  const found = /-?R\$\s?[\d.]+,\d{2}/.exec(plain(text));
  if (!found) throw new Error(`no amount in "${text}"`);
  const digits = Number(found[0].replace(/\D/g, ""));
  return found[0].startsWith("-") ? -digits : digits;
}

/**
 * Clicks an item of a menu once the menu is in its place. Before, it is at the top of the page; scrolling there
 * would move the menu's button out of sight, which hides the menu. A long menu scrolls to the item.
 */
export async function chooseItem(item: Locator) {
  await expect(item.page().getByRole("menu")).toBeInViewport();
  await item.click();
}

/** Chooses the theme by its button, and waits until it is saved. */
export async function setTheme(page: Page, theme: "light" | "dark") {
  const html = page.locator("html");
  const expectTheme = (scheme: string) => expect(html).toHaveAttribute("data-mantine-color-scheme", scheme);
  // The user's saved theme arrives after the page; only then is it known whether to press the button.
  const savedTheme = await page.evaluate(async () => {
    const path = window.location.hostname.startsWith("admin.") ? "/api/admin/me" : "/api/sellers/me";
    return ((await (await fetch(path)).json()) as { theme: string }).theme;
  });
  await expect(page.getByRole("button", { name: /^Menu de / })).toBeVisible();
  await expectTheme(savedTheme);
  if (savedTheme === theme) return;
  const saved = page.waitForResponse(
    (response) => response.request().method() === "PATCH" && response.url().endsWith("/me"),
  );
  await page.getByRole("button", { name: theme === "dark" ? "Usar tema escuro" : "Usar tema claro" }).click();
  expect((await saved).status()).toBe(200);
  await expectTheme(theme);
}
