// No screen shifts while it loads: placeholders are as large as their content. The measure is Cumulative Layout Shift
// (https://web.dev/articles/cls).
import { expect, type Page } from "@playwright/test";
import { api, askHere, SIZES, staffUrl } from "./panel";
import { test } from "./signed-in";
import { stateOf } from "./team";

const CLS_MAX = 0.05;
/** Long enough to paint each placeholder before its content. */
const ANSWER_DELAY_MS = 120;
const WAITING = ".mantine-Skeleton-root, [aria-busy=true], .mantine-Loader-root";

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

async function observe(page: Page) {
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

/** The elements that shifted while the screen loaded, worst first; empty if the total is small. */
async function movedAt(page: Page, address: string): Promise<string[]> {
  await page.goto(address);
  await expect(page.locator("main h1")).toBeVisible();
  await page.waitForLoadState("networkidle");
  await expect(page.locator(WAITING)).toHaveCount(0);
  const shifts = await page.evaluate(() => window.layoutShifts);
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  if (total <= CLS_MAX) return [];
  const worst = shifts.toSorted((one, other) => other.value - one.value).slice(0, 3);
  const { pathname, search } = new URL(address);
  return [
    `${pathname}${search}: ${total.toFixed(3)}`,
    ...worst.map(({ value, moved }) => `  ${value.toFixed(3)} ${moved.join(", ")}`),
  ];
}

async function expectStill(page: Page, home: string, paths: readonly string[]) {
  await observe(page);
  const moved: string[] = [];
  for (const path of paths) moved.push(...(await movedAt(page, `${home}${path}`)));
  expect(moved.join("\n")).toBe("");
}

for (const viewport of SIZES) {
  test.describe(`at ${viewport.width}, for an owner`, () => {
    test.use({ viewport, storageState: stateOf("owner") });

    test("no screen of the seller shifts while it loads", async ({ page, baseURL }) => {
      await page.goto("/");
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
        "/usuarios",
        "/configuracoes",
        "/minha-conta",
      ]);
    });
  });

  test.describe(`at ${viewport.width}, for staff`, () => {
    test.use({ viewport, storageState: stateOf("staff") });

    test("no screen of staff shifts while it loads", async ({ page, baseURL }) => {
      const home = staffUrl(baseURL);
      await page.goto(`${home}/`);
      const sales = await askHere<{ data: { id: string }[] }>(page, "/admin/transactions", { perPage: 1 });
      const companies = await askHere<{ data: { id: string }[] }>(page, "/admin/businesses/list");
      const [sale, company] = [sales.data[0], companies.data[0]];
      if (!sale || !company) throw new Error("the story has no sale or no company");
      const balance = `/empresas/${company.id}/saldo`;
      await expectStill(page, home, [
        "/",
        "/vendas",
        `/vendas/${sale.id}`,
        "/usuarios",
        "/saques",
        balance,
        `${balance}?tab=journal`,
        "/ajustes",
        "/ajustes/usuarios",
        "/ajustes/configuracoes",
        "/ajustes/excecoes",
      ]);
    });
  });
}
