// The navigation of several roles and the addresses that they may open, as in the access table. Also the focus after
// going back or closing a modal, and the switch of the company.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { allows, parseScreens } from "../src/api/accessTable";
import type { PanelName } from "../src/api/panel";
import { api, NEW_TITLE, openWithinPanel, staffUrl } from "./panel";
import { PLACEHOLDERS } from "./screen-checks";
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

/** The paths of the navigation, in order. */
async function navigationPaths(page: Page): Promise<string[]> {
  const links = page.getByRole("navigation", { name: "Navegação principal" }).getByRole("link");
  await expect(links.first()).toBeVisible();
  return links.evaluateAll((found) =>
    found.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
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
