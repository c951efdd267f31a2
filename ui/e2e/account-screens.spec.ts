// What holds for the ways in, the account and the settings: WCAG 2.2 AA in both themes, a fit on phone and desk, and
// a tenant's own look.
import { expect, type Page, test as visit } from "@playwright/test";
import type { components } from "../src/api/schema";
import { contrast } from "../src/format/colour";
import { askHere, useTheme as chooseTheme, expectAccessible, expectFits, staffUrl } from "./panel";
import { test } from "./signed-in";
import { stateOf } from "./team";
import { sendHere } from "./users";

const SIZES = [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
];
const THEMES = ["light", "dark"] as const;

interface Screen {
  path: string;
  title: RegExp;
  heading: string;
}

async function openIn(page: Page, home: string, theme: (typeof THEMES)[number]) {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${home}/`);
  await chooseTheme(page, theme);
}

/** Both sizes of one opened page: what is wide folds without being loaded anew. */
async function check(page: Page, home: string, { path, title, heading }: Screen) {
  await page.goto(`${home}${path}`);
  await expect(page).toHaveTitle(title);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await expect(page.getByRole("heading", { name: heading, exact: true })).toBeVisible();
    await expect(page.getByRole("list", { name: "Sessões abertas" })).toHaveCount(
      path === "/minha-conta" ? 1 : 0,
    );
    await expectAccessible(page, `${path} at ${size.width}`);
    await expectFits(page, `${path} at ${size.width}`);
  }
}

const forgotten = {
  path: "/esqueci-minha-senha",
  title: /\| Esqueci minha senha$/,
  heading: "Esqueci minha senha",
};
const reset = { path: "/resetar-senha?token=x", title: /\| Redefinir senha$/, heading: "Redefinir senha" };
const verify = { path: "/verificar-email", title: /\| Confirmar e-mail$/, heading: "Confirmar e-mail" };
const account = { path: "/minha-conta", title: /\| Minha conta$/, heading: "Minha conta" };
const settings = { path: "/configuracoes", title: /\| Configurações$/, heading: "Configurações" };
const adjustments = { path: "/ajustes", title: /\| Ajustes$/, heading: "Ajustes" };
const platform = {
  path: "/ajustes/configuracoes",
  title: /\| Configurações da plataforma$/,
  heading: "Configurações da plataforma",
};

visit("the ways in are accessible and fit", async ({ page, baseURL }) => {
  for (const theme of THEMES) {
    await page.addInitScript((chosen) => localStorage.setItem("razao-theme", chosen), theme);
    for (const screen of [forgotten, reset, verify]) await check(page, baseURL ?? "", screen);
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", theme);
  }
});

test.describe("for a seller", () => {
  test.use({ storageState: stateOf("owner") });

  test("account and settings are accessible and fit", async ({ page, baseURL }) => {
    for (const theme of THEMES.toReversed()) {
      await openIn(page, baseURL ?? "", theme);
      for (const screen of [account, settings]) await check(page, baseURL ?? "", screen);
    }
  });
});

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("account and settings are accessible and fit", async ({ page, baseURL }) => {
    for (const theme of THEMES.toReversed()) {
      await openIn(page, staffUrl(baseURL), theme);
      for (const screen of [adjustments, platform]) await check(page, staffUrl(baseURL), screen);
      await page.getByRole("button", { name: "Nova marca" }).click();
      await expect(page.getByRole("dialog", { name: "Nova marca" })).toBeVisible();
      await expectAccessible(page, "new tenant");
      await expectFits(page, "new tenant");
    }
  });
});

test.describe("a look of one's own", () => {
  test.use({ storageState: stateOf("administrator") });
  let usual: components["schemas"]["TenantSettings"] | undefined;

  test.beforeEach(async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/ajustes/configuracoes`);
    const { tenants } = await askHere<components["schemas"]["Settings"]>(page, "/admin/settings");
    usual = tenants.find(({ label }) => label === "");
  });

  test.afterEach(async ({ page }) => {
    if (usual) await sendHere(page, "POST", "/admin/settings", usual);
  });

  test("is set by staff, and seen on both panels", async ({ page, browser, baseURL }) => {
    const was = usual?.product_name ?? "";
    await page.getByRole("button", { name: `Editar ${was}` }).click();
    const form = page.getByRole("dialog", { name: `Editar ${was}` });
    const [theme, name] = [form.getByLabel("Cor principal"), form.getByLabel("Nome do produto")];
    const save = form.getByRole("button", { name: "Salvar" });
    await name.fill("");
    await theme.fill("azul");
    await save.click();
    await expect(form.getByText("Nome do produto é requerido.")).toBeVisible();
    await expect(form.getByText("Use uma cor no formato #RRGGBB.")).toBeVisible();
    await expect(name).toBeFocused();
    await name.fill("Loja Azul");
    await theme.fill("#1A237E");
    await save.click();
    await expect(page.getByRole("status").filter({ hasText: "Loja Azul foi salva" })).toBeVisible();
    await expect(
      page.getByRole("list", { name: "Alterações e acessos" }).getByRole("listitem").first(),
    ).toContainText("Loja Azul");

    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`${baseURL}/login`);
    await expect(visitor).toHaveTitle("Loja Azul | Entrar");
    const button = visitor.getByRole("button", { name: "Entrar" });
    const [ground, ink] = await button.evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return [backgroundColor, color].map(
        (rgb) =>
          `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`,
      );
    });
    expect(ground).toBe("#1a237e");
    expect(contrast(ground ?? "", ink ?? "")).toBeGreaterThanOrEqual(4.5);
    await expectAccessible(visitor, "login of a tenant");
    await visitor.context().close();
    for (const scheme of THEMES.toReversed()) {
      await openIn(page, staffUrl(baseURL), scheme);
      await expect(page).toHaveTitle("Loja Azul | Início");
      await expectAccessible(page, `a tenant's home, ${scheme}`);
    }
  });
});
