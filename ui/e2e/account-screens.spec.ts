// The pages of passwords and e-mail addresses before sign-in, the account and the settings: WCAG 2.2 AA in both themes,
// and no overflow at 390, 768 and 1440 px. Also the search for a buyer, and a tenant's own colors.
import { expect, type Page, type Route } from "@playwright/test";
import type { components } from "../src/api/schema";
import { contrast } from "../src/format/color";
import { test as publicTest } from "./clock";
import { chooseFile, PIXEL } from "./files";
import { getFromPage, openWithinPanel, sendFromPage, staffUrl } from "./panel";
import { checkScreen, expectAccessible } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

async function check(page: Page, address: string, title: string) {
  await page.goto(address);
  await checkOpened(page, title);
}

/** Checks another screen of the loaded panel. */
async function checkWithinPanel(page: Page, address: string, title: string) {
  await openWithinPanel(page, new URL(address));
  await checkOpened(page, title);
}

async function checkOpened(page: Page, title: string) {
  await expect(page).toHaveTitle(new RegExp(` \\| ${title}$`));
  await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
  await checkScreen(page, title);
}

publicTest(
  "passwords and e-mail addresses before sign-in: accessible, without overflow",
  async ({ page }) => {
    await check(page, "/esqueci-minha-senha", "Esqueci minha senha");
    await check(page, "/resetar-senha?token=x", "Redefinir senha");
    await check(page, "/verificar-email", "Confirmar e-mail");
  },
);

test.describe("for a seller", () => {
  test.use({ storageState: stateOf("owner") });

  test("account and settings are accessible and do not overflow", async ({ page }) => {
    await check(page, "/configuracoes", "Configurações");
    await page.goto("/minha-conta");
    await expect(page.getByRole("list", { name: "Sessões abertas" })).toBeVisible();
    await expect(page.getByRole("form", { name: "Senha" })).toBeVisible();
    await checkScreen(page, "Minha conta");
    await page.getByRole("button", { name: "Trocar e-mail" }).click();
    await expect(page.getByRole("dialog", { name: "Trocar e-mail" })).toBeVisible();
    await checkScreen(page, "Trocar e-mail");
  });
});

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("settings are accessible and do not overflow", async ({ page, baseURL }) => {
    await check(page, `${staffUrl(baseURL)}/ajustes`, "Ajustes");
    await checkWithinPanel(page, `${staffUrl(baseURL)}/ajustes/configuracoes`, "Configurações da plataforma");
    await checkWithinPanel(page, `${staffUrl(baseURL)}/ajustes/regras`, "Regras da plataforma");
    await expect(page.getByRole("button", { name: /^Alterar/ }).first()).toHaveAccessibleDescription(
      "Só o proprietário da plataforma pode alterar.",
    );
    await checkWithinPanel(page, `${staffUrl(baseURL)}/ajustes/adquirentes`, "Adquirentes");
    await checkWithinPanel(page, `${staffUrl(baseURL)}/ajustes/compradores`, "Compradores");
    await openWithinPanel(page, new URL(`${staffUrl(baseURL)}/ajustes/configuracoes`));
    await page.getByRole("button", { name: "Nova marca" }).click();
    await expect(page.getByRole("dialog", { name: "Nova marca" })).toBeVisible();
    await checkScreen(page, "Nova marca");
  });
});

test.describe("the search for a buyer", () => {
  test.use({ storageState: stateOf("administrator") });

  test("hides the last orders and message while it runs, and the orders after it fails", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/ajustes/compradores`);
    const [submit, orders, message] = [
      page.getByRole("button", { name: "Buscar", exact: true }),
      page.getByRole("heading", { name: "Pedidos do comprador" }),
      page.getByText("Algo deu errado. Tente de novo em instantes."),
    ];
    await page.getByLabel("CPF, CNPJ ou pedido").fill("111.444.777-35");
    await submit.click();
    await expect(orders).toBeVisible();
    const held: Route[] = [];
    await page.route("**/api/admin/buyers/search", (route) => void held.push(route));
    for (const attempt of [1, 2]) {
      await submit.click();
      await expect.poll(() => held.length).toBe(attempt);
      await expect(orders).toBeHidden();
      await expect(message).toBeHidden();
      await held.at(-1)?.fulfill({ status: 503, json: {} });
      await expect(message).toBeVisible();
      await expect(orders).toBeHidden();
    }
  });
});

test.describe("a tenant's colors", () => {
  test.use({ storageState: stateOf("administrator") });
  let original: components["schemas"]["TenantSettings"] | undefined;

  test.beforeEach(async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/ajustes/configuracoes`);
    const { tenants } = await getFromPage<components["schemas"]["Settings"]>(page, "/admin/settings");
    original = tenants.find(({ label }) => label === "");
  });

  test.afterEach(async ({ page }) => {
    if (original) await sendFromPage(page, "POST", "/admin/settings", original);
  });

  test("are set by staff, and apply to both panels", async ({ page, browser, baseURL }) => {
    const originalName = original?.product_name ?? "";
    await page.getByRole("button", { name: `Editar ${originalName}` }).click();
    const form = page.getByRole("dialog", { name: `Editar ${originalName}` });
    const [mainColor, name] = [form.getByLabel("Cor principal"), form.getByLabel("Nome do produto")];
    const save = form.getByRole("button", { name: "Salvar" });
    const [logo, sendLogo] = [
      form.getByRole("img", { name: /^Logotipo de / }),
      form.getByText("Enviar logotipo"),
    ];
    await chooseFile(page, sendLogo, "logo.png", Buffer.from("%PDF-1.7 <</Type/Page>>"));
    await expect(form.getByText("Envie um arquivo JPEG ou PNG.")).toBeVisible();
    await chooseFile(page, sendLogo, "logo.png", PIXEL);
    await expect.poll(() => logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await form.getByRole("button", { name: "Remover logotipo" }).click();
    await expect(logo).toHaveCount(0);
    await name.fill("");
    await mainColor.fill("azul");
    await save.click();
    await expect(form.getByText("Informe o nome do produto.")).toBeVisible();
    await expect(form.getByText("Use uma cor no formato #RRGGBB.")).toBeVisible();
    await expect(name).toBeFocused();
    await name.fill("Loja Azul");
    await mainColor.fill("#1A237E");
    await save.click();
    await expect(page.getByRole("status").filter({ hasText: "Marca Loja Azul salva" })).toBeVisible();
    await expect(
      page.getByRole("list", { name: "Alterações e acessos" }).getByRole("listitem").first(),
    ).toContainText("Loja Azul");

    const visitor = await (await browser.newContext()).newPage();
    await visitor.goto(`${baseURL}/login`);
    await expect(visitor).toHaveTitle("Loja Azul | Entrar");
    const button = visitor.getByRole("button", { name: "Entrar" });
    const [background, text] = await button.evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element);
      return [backgroundColor, color].map(
        (rgb) =>
          `#${(rgb.match(/\d+/g) ?? []).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`,
      );
    });
    expect(background).toBe("#1a237e");
    expect(contrast(background ?? "", text ?? "")).toBeGreaterThanOrEqual(4.5);
    await expectAccessible(visitor, "login of a tenant", { whole: true });
    await visitor.context().close();
    await page.goto(`${staffUrl(baseURL)}/`);
    await expect(page).toHaveTitle("Loja Azul | Início");
    const brand = () => getComputedStyle(document.documentElement).getPropertyValue("--brand");
    expect(await page.evaluate(brand)).toBe("#1a237e");
    await expect(page.getByRole("heading", { name: /^Olá, / })).toBeVisible();
    await expectAccessible(page, "a tenant's home");
  });
});
