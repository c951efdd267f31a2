// The navigation of several roles and the addresses that they may open, as in the access table. Also the focus after
// going back or closing a modal, and the switch of the company.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { allows, parseScreens } from "../src/api/accessTable";
import type { PanelName } from "../src/api/panel";
import { api, NEW_TITLE, openWithinPanel, staffUrl } from "./panel";
import { checkScreen, PHONE, PLACEHOLDERS } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { type StoryUser, stateOf } from "./story-users";

const TABLE = join(import.meta.dirname, "../../fixtures/access/screens.tsv");
const screens = parseScreens(readFileSync(TABLE, "utf8"));

/** An address that no screen of either panel has. */
const WITHOUT_PAGE = "/relatorios/nao-existe";

const homeOf = (panel: PanelName, baseURL: string | undefined) =>
  panel === "admin" ? staffUrl(baseURL) : (baseURL ?? "");

async function openAs(browser: Browser, baseURL: string | undefined, user: StoryUser, panel: PanelName) {
  const context = await browser.newContext({ storageState: await signedInState(browser, baseURL, user) });
  const page = await context.newPage();
  await page.goto(`${homeOf(panel, baseURL)}/`);
  return page;
}

const navigationOf = (page: Page) => page.getByRole("navigation", { name: "Navegação principal" });

/** The paths of the navigation with all groups open, in order. A group's link leads to its first page. */
async function navigationPaths(page: Page): Promise<string[]> {
  const links = navigationOf(page).getByRole("link");
  await expect(links.first()).toBeVisible();
  const closed = navigationOf(page).getByRole("button", { expanded: false });
  while ((await closed.count()) > 0) await closed.first().click();
  const paths = await links.evaluateAll((found) =>
    found.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
  return [...new Set(paths)];
}

/** The screen at an address, of the panel or public; undefined if there is none. */
function screenAt(panel: PanelName, pathname: string) {
  const matches = ({ route }: { route: string }) =>
    new RegExp(`^${route.replace(/:[^/]+/g, "[^/]+")}$`).test(pathname);
  // "/empresas/nova" also matches "/empresas/:id"; the route with fewer parameters counts.
  const found = screens.filter((each) => (each.panel === panel || each.panel === "open") && matches(each));
  return found.toSorted((one, other) => one.route.split(":").length - other.route.split(":").length)[0];
}

interface Visitor {
  panel: PanelName;
  role: string;
  home: string;
}

/**
 * Follows the links from the home page to one address of each screen. Returns the links to screens that do not exist,
 * have no page, are public or are forbidden to the role, and the routes of the visited screens.
 */
async function followLinks(page: Page, { panel, role, home }: Visitor) {
  const broken: string[] = [];
  // A Map visits entries that are added during its iteration.
  const found = new Map([["/", { path: "/", from: "" }]]);
  for (const { path, from } of found.values()) {
    await openWithinPanel(page, new URL(path, home));
    await expect(page.locator(NEW_TITLE)).toBeVisible();
    // Links arrive with the content.
    await expect(page.locator(PLACEHOLDERS)).toHaveCount(0);
    if ((await page.getByRole("heading", { name: "Página não encontrada" }).count()) > 0)
      broken.push(`${from} → ${path}`);
    // A download is a call, whose access other tests check. The channels of contact lead out of the panel.
    const links = await page
      .locator("a[href^='/']:not([download])")
      .evaluateAll((all) => all.map((link) => new URL((link as HTMLAnchorElement).href).pathname));
    for (const link of new Set(links)) {
      const screen = screenAt(panel, link);
      if (!screen || screen.panel === "open" || !allows(screen.roles, { panel, roles: [role] }))
        broken.push(`${path} → ${link}`);
      else if (!found.has(screen.route)) found.set(screen.route, { path: link, from: path });
    }
  }
  return { broken, visited: [...found.keys()] };
}

for (const [panel, fullUser, user, role, detailRoutes] of [
  ["seller", "owner", "operator", "operator", ["/vendas/:id"]],
  [
    "admin",
    "platformOwner",
    "administrator",
    "admin",
    ["/vendas/:id", "/usuarios/:id", "/empresas/:id/saldo", "/saques/:id"],
  ],
  ["admin", "platformOwner", "sac", "sac", ["/vendas/:id", "/usuarios/:id"]],
  ["admin", "platformOwner", "financial", "financial", ["/saques/:id"]],
] as const) {
  test(`${user} reaches the screens that the access table allows, and no others`, async ({
    browser,
    baseURL,
  }) => {
    // It opens every screen of the role.
    test.slow();
    const may = (route: string) => {
      const screen = screens.find((each) => each.panel === panel && each.route === route);
      return screen !== undefined && allows(screen.roles, { panel, roles: [role] });
    };
    const fullPage = await openAs(browser, baseURL, fullUser, panel);
    const all = await navigationPaths(fullPage);
    await fullPage.context().close();

    const page = await openAs(browser, baseURL, user, panel);
    const own = await navigationPaths(page);
    expect(own).toEqual(all.filter(may));
    const { broken, visited } = await followLinks(page, { panel, role, home: homeOf(panel, baseURL) });
    expect(broken).toEqual([]);
    expect(visited).toEqual(expect.arrayContaining([...own, ...detailRoutes]));

    for (const route of all.filter((each) => !may(each))) {
      await openWithinPanel(page, new URL(route, homeOf(panel, baseURL)));
      await expect(page).toHaveURL(/\/unauthorized$/);
      await expect(page.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
      await page.getByRole("link", { name: "Ir para o início" }).click();
      await expect(page).toHaveURL(`${homeOf(panel, baseURL)}/`);
    }
    await page.goto(`${homeOf(panel, baseURL)}${WITHOUT_PAGE}`);
    await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
    await page.context().close();
  });
}

test.describe("groups", () => {
  test.use({ storageState: stateOf("owner") });

  test("an open group shows its pages, and stays open after a reload until it is closed", async ({
    page,
  }) => {
    await page.goto("/");
    const toggle = navigationOf(page).getByRole("button", { name: "Páginas de Financeiro" });
    const held = navigationOf(page).getByRole("link", { name: "Valores retidos", exact: true });
    await expect(toggle).toHaveAttribute("aria-expanded", "false");
    await expect(held).toHaveCount(0);
    await toggle.press("Enter");
    await expect(toggle).toHaveAttribute("aria-expanded", "true");
    await page.reload();
    await held.click();
    await expect(page).toHaveURL(/\/financeiro\/valores-retidos$/);
    await expect(held).toHaveAttribute("aria-current", "page");
    const place = page.getByRole("navigation", { name: "Você está em" });
    await expect(place.getByRole("listitem")).toHaveText([/\S/, "Financeiro", "Valores retidos"]);
    await place.getByRole("link", { name: "Financeiro" }).click();
    await expect(page).toHaveURL(/\/financeiro$/);
    await toggle.click();
    await expect(held).toHaveCount(0);
    await page.reload();
    await expect(page.getByRole("heading", { name: "Financeiro", level: 1 })).toBeVisible();
    await expect(held).toHaveCount(0);
  });

  test("a phone has four groups and Mais, the pages of a group as tabs, and the company's name", async ({
    page,
  }) => {
    await page.setViewportSize(PHONE);
    await page.goto("/");
    await expect(page.getByRole("banner").getByRole("combobox", { name: "Empresa" })).not.toHaveValue("");
    const bar = navigationOf(page);
    await expect(bar.getByRole("link")).toHaveText([/Início/, /Vendas/, /Links/, /Financeiro/]);
    await expect(bar.getByRole("link", { name: "Início" })).toHaveAttribute("aria-current", "page");
    const more = bar.getByRole("button", { name: "Mais" });
    await more.click();
    await expect(more).toHaveAttribute("aria-expanded", "true");
    const sheet = page.getByRole("dialog", { name: "Mais" });
    await checkScreen(page, "Mais", [PHONE], { whole: true });
    await sheet.getByRole("link", { name: "Relatórios" }).click();
    await expect(sheet).toHaveCount(0);
    const tabs = page.getByRole("navigation", { name: "Páginas de Relatórios" });
    await tabs.getByRole("link", { name: "Fechamento do mês" }).click();
    await expect(page.getByRole("heading", { name: "Fechamento do mês", level: 1 })).toBeVisible();
    await expect(tabs.getByRole("link", { name: "Fechamento do mês" })).toHaveAttribute(
      "aria-current",
      "page",
    );
    await checkScreen(page, "tabs", [PHONE], { whole: true });
  });
});

test.describe("links back", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("lead where one came from", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    await page.goto(`${home}/saques`);
    const business = page.locator("main a[href$='/saldo']").first();
    await business.click();
    const back = page.getByRole("main").getByRole("link", { name: /^Voltar para/ });
    await expect(back).toHaveText("Voltar para os saques");
    // The way back survives a reload.
    await page.reload();
    await back.click();
    await expect(page).toHaveURL(`${home}/saques`);
  });

  test("lead to the page above from an address that was typed", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/saques`);
    const href = await page.locator("main a[href$='/saldo']").first().getAttribute("href");
    const other = await page.context().newPage();
    await other.goto(`${staffUrl(baseURL)}${href}`);
    const back = other.getByRole("main").getByRole("link", { name: /^Voltar para/ });
    await expect(back).toHaveText("Voltar para a empresa");
    await back.click();
    await expect(other).toHaveURL(`${staffUrl(baseURL)}${href?.replace(/\/saldo$/, "")}`);
  });
});

test.describe("focus", () => {
  test.use({ storageState: stateOf("owner") });

  test("returns to the opened row when the user goes back", async ({ page }) => {
    await page.goto("/vendas");
    const rows = page.getByRole("table", { name: "Lista de vendas" }).getByRole("row");
    const third = rows.nth(3).getByRole("link").first();
    for (const open of [() => third.press("Enter"), () => rows.nth(3).getByRole("cell").nth(2).click()]) {
      await open();
      await expect(page.getByRole("heading", { name: /^Venda / })).toBeVisible();
      await expect(page.locator("body")).not.toBeFocused();
      await page.goBack();
      await expect(third).toBeFocused();
    }
    await third.press("Enter");
    await page.getByRole("link", { name: "Voltar para as vendas" }).click();
    await expect(third).toBeFocused();
  });

  test("returns to the row when a modal that was opened from it by mouse closes", async ({ page }) => {
    let answer = () => {};
    const held = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/api/receivables?**", async (route) => {
      await held;
      await route.continue();
    });
    await page.goto("/recebimentos?view=list");
    const rows = page.getByRole("table").getByRole("row");
    // Only the header is a row until the days are read. A click on a placeholder would open nothing.
    await expect(rows).toHaveCount(1);
    answer();
    const row = rows.nth(2);
    await row.getByRole("cell").nth(3).click();
    await expect(page.getByRole("dialog")).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(row.getByRole("link")).toBeFocused();
  });
});

test.describe("with two companies", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("after a switch of company the page stays or a message explains why not; a sale offers its company", async ({
    page,
  }) => {
    const { businesses } = await api.me(page);
    const own = businesses.find(({ role }) => role === "admin");
    const other = businesses.find(({ role }) => role === "operator");
    if (!own || !other) throw new Error("adminAndOperator does not have two companies");
    const { data } = await api.sales(page, { business_id: other.id, perPage: 1 });
    const selector = page.getByRole("combobox", { name: "Empresa" });
    const choose = async (name: string) => {
      await selector.click();
      await page.getByRole("option", { name }).click();
    };
    await page.goto("/vendas");
    await choose(own.name);
    await expect(page.locator("#content")).toBeFocused();
    await expect(page).toHaveURL(/\/vendas(\?|$)/);
    await page.goto("/financeiro");
    await choose(other.name);
    await expect(page).toHaveURL(/:\d+\/$/);
    const message = page.getByRole("status").filter({ hasText: other.name });
    await expect(message).toContainText("Financeiro");
    // The message is shown once.
    await page.reload();
    await expect(page.getByLabel("Vendas", { exact: true }).first()).toBeVisible();
    await expect(message).toHaveCount(0);
    await choose(own.name);
    await page.goto(`/vendas/${data[0]?.id}`);
    await page.getByRole("button", { name: `Abrir em ${other.name}` }).click();
    await expect(page.getByRole("region", { name: "Linha do tempo" })).toBeVisible();
    await expect(page.locator("#content")).toBeFocused();
    await expect(selector).toHaveValue(other.name);
  });
});
