// Payment links: an operator makes one on a phone and disables it, an owner shares one, and staff find it among those
// of all companies. Their screens are checked for WCAG 2.2 AA in both themes, and for content that overflows.
import { expect } from "@playwright/test";
import { chooseItem, getFromPage, openHost, plain, sendFromPage, staffUrl } from "./panel";
import { checkScreen, PHONE } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage } from "./users";

test.describe("on a phone", () => {
  test.use({ storageState: stateOf("operator"), viewport: PHONE });

  test("an operator makes a link, copies its address and disables it", async ({ page, context }) => {
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto("/links-de-pagamento");
    await expect(page).toHaveTitle(/ \| Links de pagamento$/);
    await page.getByRole("link", { name: "Novo link" }).click();
    const form = page.getByRole("form", { name: "Dados do link" });
    await form.getByRole("button", { name: "Criar link" }).click();
    await expect(form.getByText("Informe a descrição.")).toBeVisible();
    await expect(form.getByText("Informe o valor.")).toBeVisible();
    await checkScreen(page, "Novo link");
    await page.setViewportSize(PHONE);
    const description = `Bolo de casamento ${Date.now().toString(36)}`;
    await form.getByLabel("Descrição").fill(description);
    await form.getByRole("textbox", { name: "Valor", exact: true }).fill("180,00");
    const net = form.getByRole("list", { name: "O que você recebe" });
    await expect(net.getByRole("listitem").filter({ hasText: "PIX" })).toContainText("R$");
    await form.getByRole("combobox", { name: "Quem paga as taxas" }).click();
    await page.getByRole("option", { name: "O comprador" }).click();
    // The seller receives the whole amount, and the buyer pays more.
    await expect(net.getByRole("listitem").filter({ hasText: "PIX" })).toContainText(/R\$\s180,00/);
    await form.getByRole("button", { name: "Criar link" }).click();
    await expect(flashMessage(page, "Link criado.")).toBeVisible();
    await expect(page.getByRole("heading", { name: description })).toBeVisible();
    await expect(page.getByRole("img", { name: "QR Code do link" })).toBeVisible();
    await page.getByRole("button", { name: "Copiar link" }).click();
    await expect(flashMessage(page, "Link copiado.")).toBeVisible();
    const address = await page.evaluate(() => navigator.clipboard.readText());
    expect(address).toMatch(/\/pl\/[0-9A-F]{12}$/);
    const code = address.slice(-12);
    const shown = await getFromPage<{ status: string; amount: number }>(page, `/pl/${code}`);
    expect(shown).toMatchObject({ status: "active", amount: 180_00 });
    const share = await page.getByRole("link", { name: "Enviar por WhatsApp" }).getAttribute("href");
    expect(plain(decodeURIComponent(share ?? ""))).toContain(
      `${description}, R$ 180,00. Pague pelo link: ${address}`,
    );
    await checkScreen(page, "Link de pagamento");
    await page.setViewportSize(PHONE);
    await page.getByRole("button", { name: "Desativar" }).click();
    await expect(flashMessage(page, "desativado.")).toBeVisible();
    await expect(page.getByText("ninguém consegue pagar por ele")).toBeVisible();
    expect(await getFromPage(page, `/pl/${code}`)).toMatchObject({ status: "inactive", prices: null });
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("an owner shares a link, opens its sales, and staff find the link", async ({
    page,
    browser,
    baseURL,
  }) => {
    await openHost(page, baseURL ?? "");
    const description = `Cesta de café ${Date.now().toString(36)}`;
    const link = await sendFromPage<{ id: string; version: number }>(page, "POST", "/payment-link", {
      description,
      amount: 90_00,
      payment_types: ["pix"],
    });
    await page.goto(`/links-de-pagamento/${link.id}`);
    await page.getByRole("button", { name: "Editar" }).click();
    const form = page.getByRole("form", { name: "Dados do link" });
    await form.getByRole("textbox", { name: "Valor", exact: true }).fill("95,00");
    // Another user changes the link while the form is open.
    await sendFromPage(page, "PATCH", `/payment-link/${link.id}`, {
      amount: 92_00,
      use_limit: 7,
      version: link.version,
    });
    await form.getByRole("button", { name: "Salvar" }).click();
    const notice = form.getByRole("alert").filter({ hasText: "O link mudou enquanto você editava" });
    await expect(notice).toContainText("Atualizado no formulário: Limite de usos.");
    await expect(notice.getByRole("row", { name: /^Valor/ })).toContainText(/R\$\s92,00\s*R\$\s95,00/);
    await expect(form.getByLabel("Limite de usos")).toHaveValue("7");
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(flashMessage(page, "Link salvo.")).toBeVisible();
    await expect(page.getByText("0 de 7")).toBeVisible();
    await page.goto("/links-de-pagamento?status=active");
    const row = page.getByRole("row").filter({ hasText: description });
    await expect(row).toContainText("Ativo");
    await checkScreen(page, "Links de pagamento");
    await row.getByRole("button", { name: `Ações: ${description}` }).click();
    await chooseItem(page.getByRole("menuitem", { name: "QR Code e compartilhar" }));
    const modal = page.getByRole("dialog", { name: description });
    await expect(modal.getByRole("img", { name: "QR Code do link" })).toBeVisible();
    await checkScreen(page, "Compartilhar");
    await modal.getByRole("button", { name: "Fechar" }).click();
    await row.getByRole("button", { name: `Ações: ${description}` }).click();
    await chooseItem(page.getByRole("menuitem", { name: "Ver vendas" }));
    await expect(page).toHaveURL(/\/links-de-pagamento\/vendas\?link=[0-9A-F]{12}$/);
    await expect(page.getByText("Nenhuma venda com esses filtros")).toBeVisible();
    await checkScreen(page, "Vendas por link");

    const storageState = await signedInState(browser, baseURL, "sac");
    const staff = await (await browser.newContext({ storageState })).newPage();
    await staff.goto(`${staffUrl(baseURL)}/links-de-pagamento`);
    // Checked before the search, because one short row cannot overflow.
    await expect(staff.getByRole("row").filter({ hasText: description })).toBeVisible();
    await checkScreen(staff, "Links de pagamento (equipe)");
    await staff.getByRole("textbox", { name: "Buscar" }).fill(description);
    await expect(staff.getByRole("row").filter({ hasText: description })).toContainText(/R\$\s95,00/);
    await staff.context().close();
  });
});
