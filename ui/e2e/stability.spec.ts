// Screens hardly shift while they load: placeholders are about as large as their content. The measure is the sum of the
// layout shifts, which is at least the Cumulative Layout Shift (https://web.dev/articles/cls).
import { expect, type Page, type Request } from "@playwright/test";
import { api, getFromPage, NEW_TITLE, openHost, openWithinPanel, staffUrl } from "./panel";
import { DESKTOP, PHONE, PLACEHOLDERS } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

/** Half of the largest value that web.dev calls good (0.1). */
const CLS_MAX = 0.05;
/** Long enough to paint each placeholder before its content. */
const ANSWER_DELAY_MS = 120;

declare global {
  interface Window {
    layoutShifts: { value: number; moved: string[] }[];
  }
}

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
  sources: { node: Node | null }[];
}

/** Records the shifts of each loaded page, and delays the API's answers. */
async function recordShifts(page: Page) {
  await page.addInitScript(() => {
    window.layoutShifts = [];
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries() as Shift[]) {
        if (shift.hadRecentInput) continue;
        const moved = shift.sources.map(({ node }) =>
          node instanceof Element ? `${node.tagName}.${node.className}` : "text",
        );
        window.layoutShifts.push({ value: shift.value, moved });
      }
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.route("**/api/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, ANSWER_DELAY_MS));
    await route.continue();
  });
}

/** The requests of the page that have no answer yet. */
function pendingRequests(page: Page): ReadonlySet<Request> {
  const pending = new Set<Request>();
  page.on("request", (request) => pending.add(request));
  page.on("requestfinished", (request) => pending.delete(request));
  page.on("requestfailed", (request) => pending.delete(request));
  return pending;
}

/** Opens a screen, and counts the shifts from there. */
async function openScreen(page: Page, address: URL) {
  // The page before the first screen has no recorder.
  await page.evaluate(() => {
    if ("layoutShifts" in window) window.layoutShifts = [];
  });
  await openWithinPanel(page, address);
}

/** Waits until the screen has its content: a title, no placeholder, and no request without an answer. */
async function expectLoaded(page: Page, pending: ReadonlySet<Request>) {
  const title = page.locator(NEW_TITLE);
  await expect(async () => {
    expect(await title.count()).toBe(1);
    expect(await page.locator(PLACEHOLDERS).count()).toBe(0);
    expect(pending.size).toBe(0);
  }).toPass({ intervals: [50] });
}

/** The sum of the shifts while the screen loaded, and the three largest; empty if the sum is at most CLS_MAX. */
async function movedElements(page: Page, path: string): Promise<string[]> {
  const shifts = await page.evaluate(() => window.layoutShifts);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  if (total <= CLS_MAX) return [];
  const worst = shifts.toSorted((one, other) => other.value - one.value).slice(0, 3);
  return [
    `${path}: ${total.toFixed(3)}`,
    ...worst.map(({ value, moved }) => `  ${value.toFixed(3)} ${moved.join(", ")}`),
  ];
}

async function expectStill(page: Page, home: string, paths: readonly string[]) {
  await recordShifts(page);
  const pending = pendingRequests(page);
  const moved: string[] = [];
  for (const path of paths) {
    await openScreen(page, new URL(path, home));
    await expectLoaded(page, pending);
    moved.push(...(await movedElements(page, path)));
  }
  expect(moved.join("\n")).toBe("");
}

// A tablet shows the layout of a phone or of a desktop.
for (const viewport of [PHONE, DESKTOP]) {
  test.describe(`at ${viewport.width}, for an owner`, () => {
    test.use({ viewport, storageState: stateOf("owner") });

    test("the listed screens hardly shift while they load", async ({ page, baseURL }) => {
      const business_id = (await api.me(page)).businesses[0]?.id ?? "";
      const { data } = await api.sales(page, { business_id, status: "succeeded", perPage: 1 });
      const sale = data[0];
      if (!sale) throw new Error("the story has no approved sale");
      await expectStill(page, baseURL ?? "", [
        "/",
        "/vendas",
        `/vendas/${sale.id}`,
        "/financeiro",
        "/financeiro?tab=transfers",
        "/recebimentos",
        "/recebimentos?view=list",
        "/recebimentos?view=units",
        "/links-de-pagamento",
        "/links-de-pagamento/novo",
        "/links-de-pagamento/vendas",
        "/usuarios",
        "/fale-com-a-gente",
        "/configuracoes",
        "/minha-conta",
      ]);
    });
  });

  test.describe(`at ${viewport.width}, for staff`, () => {
    test.use({ viewport, storageState: stateOf("platformOwner") });

    test("the listed screens hardly shift while they load", async ({ page, baseURL }) => {
      const home = staffUrl(baseURL);
      await openHost(page, home);
      const sales = await getFromPage<{ data: { id: string }[] }>(page, "/admin/transactions", {
        perPage: 1,
      });
      const companies = await getFromPage<{ data: { id: string }[] }>(page, "/admin/businesses/list");
      const [sale, company] = [sales.data[0], companies.data[0]];
      if (!sale || !company) throw new Error("the story has no sale or no company");
      const balance = `/empresas/${company.id}/saldo`;
      await expectStill(page, home, [
        "/",
        "/vendas",
        `/vendas/${sale.id}`,
        "/usuarios",
        "/links-de-pagamento",
        "/saques",
        balance,
        `${balance}?tab=journal`,
        "/ajustes",
        "/ajustes/usuarios",
        "/ajustes/configuracoes",
        "/ajustes/regras",
        "/ajustes/adquirentes",
        "/ajustes/mensagens",
        "/ajustes/excecoes",
      ]);
    });
  });
}
