// What each role finds in the navigation, and what it meets where it types an address: both as the access table says.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, expect, type Page } from "@playwright/test";
import { allows, parseScreens } from "../src/api/accessTable";
import type { PanelName } from "../src/api/panel";
import { staffUrl } from "./panel";
import { signedIn, test } from "./signed-in";
import type { Person } from "./team";

const TABLE = join(import.meta.dirname, "../../fixtures/access/screens.tsv");
const screens = parseScreens(readFileSync(TABLE, "utf8"));

/** Screens of the table whose pages come later. */
const UNSERVED: Record<PanelName, string> = { seller: "/maquininha", admin: "/ajustes/feriados" };

const homeOf = (panel: PanelName, baseURL: string | undefined) =>
  panel === "admin" ? staffUrl(baseURL) : (baseURL ?? "");

async function as(browser: Browser, baseURL: string | undefined, person: Person, panel: PanelName) {
  const context = await browser.newContext({ storageState: await signedIn(browser, baseURL, person) });
  const page = await context.newPage();
  await page.goto(`${homeOf(panel, baseURL)}/`);
  return page;
}

/** The paths of the navigation, in its order. */
async function entries(page: Page): Promise<string[]> {
  const links = page.getByRole("navigation", { name: "Navegação principal" }).getByRole("link");
  await expect(links.first()).toBeVisible();
  return links.evaluateAll((found) =>
    found.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
}

for (const [panel, everything, person, role] of [
  ["seller", "owner", "operator", "operator"],
  ["admin", "staff", "administrator", "admin"],
  ["admin", "staff", "sac", "sac"],
] as const) {
  test(`${person} finds what the table allows, and no more by typing`, async ({ browser, baseURL }) => {
    const may = (route: string) => {
      const screen = screens.find((each) => each.panel === panel && each.route === route);
      return screen !== undefined && allows(screen.roles, { panel, roles: [role] });
    };
    const master = await as(browser, baseURL, everything, panel);
    const all = await entries(master);
    await master.context().close();

    const page = await as(browser, baseURL, person, panel);
    expect(await entries(page)).toEqual(all.filter(may));

    for (const route of all.filter((each) => !may(each))) {
      await page.goto(`${homeOf(panel, baseURL)}${route}`);
      await expect(page).toHaveURL(/\/unauthorized$/);
      await expect(page.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
      await page.getByRole("link", { name: "Ir para o início" }).click();
      await expect(page).toHaveURL(`${homeOf(panel, baseURL)}/`);
    }
    // What has no page yet is there for nobody.
    await page.goto(`${homeOf(panel, baseURL)}${UNSERVED[panel]}`);
    await expect(page.getByRole("heading", { name: "Página não encontrada" })).toBeVisible();
    await page.context().close();
  });
}
