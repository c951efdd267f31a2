// Common steps of the browser tests: sign in, call the gateway, change the theme, check accessibility and fit.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { expect, type Page } from "@playwright/test";
import type { RunOptions } from "axe-core";
import { businessCookie } from "../src/api/business";
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

async function ask<Body>(
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
  me: (page: Page) => ask<Schemas["Seller"]>(page, "/sellers/me"),
  overview: (page: Page, business_id: string) => ask<Schemas["Overview"]>(page, "/overview", { business_id }),
  sales: (page: Page, query: Record<string, string | number>) =>
    ask<Schemas["SalePage"]>(page, "/transactions", query),
  totals: (page: Page, query: Record<string, string | number>) =>
    ask<Schemas["SaleTotals"]>(page, "/transactions/totals", query),
  balance: async (page: Page, business_id: string) =>
    (await ask<Schemas["BalanceSummary"]>(page, "/balance/history", { business_id, totals: 1 })).totals,
  statement: (page: Page, query: Record<string, string | number>) =>
    ask<{ data: Schemas["BalanceMovement"][]; meta: Schemas["PageMeta"] }>(page, "/balance/history", query),
  quote: (page: Page, business_id: string) =>
    ask<Schemas["TransferQuote"]>(page, "/balance/transfers/quote", { business_id }),
  transfers: (page: Page, query: Record<string, string | number>) =>
    ask<Schemas["TransferPage"]>(page, "/balance/transfers", query),
  sale: (page: Page, id: string, business_id: string) =>
    ask<Schemas["SaleDetail"]>(page, `/transactions/${id}`, { business_id, receivables: 1 }),
};

/** Calls the gateway of the page's own host: only the browser can resolve names such as admin.localhost. */
export async function askHere<Body>(
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

/** Makes the panel act for the company in which the signed-in seller user has `role`, and returns its id. */
export async function chooseBusiness(page: Page, role: Schemas["SellerRole"]): Promise<string> {
  await page.goto("/");
  const { businesses } = await api.me(page);
  const business = businesses.find((each) => each.role === role);
  if (!business) throw new Error(`the user has no company in the role ${role}`);
  await page.evaluate((cookie) => {
    // biome-ignore lint/suspicious/noDocumentCookie: as the panel itself does
    document.cookie = cookie;
  }, businessCookie(business.id));
  return business.id;
}

/** The zone of the story's tenant, for people who chose none. */
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

/** Chooses the theme by its button, and waits until it is saved. */
export async function useTheme(page: Page, theme: "light" | "dark") {
  const html = page.locator("html");
  const shown = (scheme: string) => expect(html).toHaveAttribute("data-mantine-color-scheme", scheme);
  // The user's saved theme arrives after the page; only then is it known whether to press the button.
  const kept = await page.evaluate(async () => {
    const path = window.location.hostname.startsWith("admin.") ? "/api/admin/me" : "/api/sellers/me";
    return ((await (await fetch(path)).json()) as { theme: string }).theme;
  });
  await expect(page.getByRole("button", { name: /^Menu de / })).toBeVisible();
  await shown(kept);
  if (kept === theme) return;
  const saved = page.waitForResponse(
    (response) => response.request().method() === "PATCH" && response.url().endsWith("/me"),
  );
  await page.getByRole("button", { name: theme === "dark" ? "Usar tema escuro" : "Usar tema claro" }).click();
  expect((await saved).status()).toBe(200);
  await shown(theme);
}

/** A phone, a tablet held upright and a desk: every screen must fit them. */
export const PHONE = { width: 390, height: 844 };
export const TABLET = { width: 768, height: 1024 };
export const DESK = { width: 1440, height: 900 };
export const SIZES = [PHONE, TABLET, DESK];

const WCAG_22_AA = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** During a transition, colors are between two values, so the check waits until all motion has ended. */
async function standsStill(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    // The pulse of a skeleton and a spinner never end; tests wait for the content instead.
    const moving = () =>
      document
        .getAnimations()
        .filter(
          ({ effect, playState }) =>
            playState === "running" && effect?.getComputedTiming().endTime !== Infinity,
        );
    // A new element starts to move in the next frame.
    await frame();
    await frame();
    for (let motions = moving(); motions.length > 0; motions = moving()) {
      await Promise.allSettled(motions.map(({ finished }) => finished));
    }
  });
}

/** Paints the page in the other theme, without saving it. */
async function repaint(page: Page) {
  return await page.evaluate(() => {
    const html = document.documentElement;
    const theme = html.getAttribute("data-mantine-color-scheme") === "dark" ? "light" : "dark";
    html.setAttribute("data-mantine-color-scheme", theme);
    return theme;
  });
}

/** The script of axe, injected once into each loaded page. */
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Check {
  /** A selector of the checked element; undefined for the whole page. */
  part: string | undefined;
  run: RunOptions;
}

async function checkAccessibility(page: Page, screen: string, { part, run }: Check) {
  await standsStill(page);
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const violations = await page.evaluate(
    async ([part, run]) => {
      const { axe } = window as unknown as { axe: typeof import("axe-core") };
      // The last of several dialogs covers the others.
      const checked = part ? [...document.querySelectorAll(part)].at(-1) : document.documentElement;
      if (!checked) throw new Error(`the page has no ${part}`);
      const { violations } = await axe.run(checked, { ...run, resultTypes: ["violations"] });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`,
      );
    },
    [part, run] as const,
  );
  expect(violations, screen).toEqual([]);
}

/**
 * Checks WCAG 2.2 AA for the open dialog, else for the page's main part; with `whole`, for the whole page. The themes
 * differ only in colors, so the other one is checked for contrast only. A phone changes the layout and no color.
 */
export async function expectAccessible(page: Page, screen: string, { whole = false } = {}) {
  const dialog = "[role=dialog]:not([aria-hidden=true])";
  const opened = await page.locator(dialog).filter({ visible: true }).count();
  const part = whole ? undefined : opened > 0 ? dialog : "main";
  const contrast = "color-contrast";
  const width = page.viewportSize()?.width ?? DESK.width;
  // A tablet shows the layout of a phone or of a desk.
  if (width === TABLET.width) return;
  const narrow = width < TABLET.width;
  const rules = { [contrast]: { enabled: !narrow } };
  await checkAccessibility(page, screen, { part, run: { runOnly: WCAG_22_AA, rules } });
  if (narrow) return;
  const theme = await repaint(page);
  await checkAccessibility(page, `${screen}, ${theme}`, {
    part,
    run: { runOnly: { type: "rule", values: [contrast] } },
  });
  await repaint(page);
}

/**
 * Elements that are wider than their place: a page that scrolls sideways, a form in a modal, a table in a container
 * that scrolls or clips it.
 */
function findWide(): string[] {
  const wide: string[] = [];
  const check = (name: string, { scrollWidth, clientWidth }: Element) => {
    if (scrollWidth > clientWidth) wide.push(`${name} by ${scrollWidth - clientWidth} px`);
  };
  if (document.documentElement.scrollWidth > window.innerWidth) check("page", document.documentElement);
  for (const inner of document.querySelectorAll(
    "[role=dialog], [role=dialog] form, [role=dialog] fieldset",
  )) {
    check(inner.tagName, inner);
  }
  // A phone shows cards; its few tables scroll sideways.
  const tables = window.innerWidth < 768 ? [] : document.querySelectorAll("table");
  for (const table of tables) {
    let place = table.parentElement;
    while (place && getComputedStyle(place).overflowX === "visible") place = place.parentElement;
    if (place && place !== document.body) check(`table ${table.getAttribute("aria-label")}`, place);
  }
  return wide;
}

/** Numbers of documents, and links in notes, that break over two lines. */
function findBroken(): string[] {
  const broken: string[] = [];
  const check = (name: string, part: Element | Range) => {
    const tops = new Set([...part.getClientRects()].map(({ top }) => Math.round(top)));
    if (tops.size > 1) broken.push(name);
  };
  for (const link of document.querySelectorAll("main dd a")) check(`link ${link.textContent}`, link);
  const numbers = /\d{3}\.\d{3}\.\d{3}-\d{2}|[\dA-Z]{2}(\.[\dA-Z]{3}){2}\/[\dA-Z]{4}-\d{2}/g;
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { index, 0: number } of (node.nodeValue ?? "").matchAll(numbers)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + number.length);
      check(`number ${number}`, range);
    }
  }
  return broken;
}

/** Fails if anything is cut off, or if a document's number or a short link breaks. */
export async function expectFits(page: Page, screen: string) {
  expect(await page.evaluate(findWide), `${screen}: wider than its place`).toEqual([]);
  expect(await page.evaluate(findBroken), `${screen}: broken over two lines`).toEqual([]);
}

/** Checks an open page or modal at each size. The layout adapts without a reload. */
export async function expectFinished(page: Page, screen: string, sizes = SIZES) {
  for (const size of sizes) {
    await page.setViewportSize(size);
    await expectAccessible(page, `${screen} at ${size.width}`);
    await expectFits(page, `${screen} at ${size.width}`);
  }
}
