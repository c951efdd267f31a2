// Card machines: staff enable, move, bill and remove them; sellers name them and see their sales.
import { expect } from "@playwright/test";
import { api, chooseItem, openHost, plain, staffUrl } from "./panel";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { chooseRowAction, companies, enableMachine, issueToken, newSerial, openMachine } from "./terminals";

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("a machine is enabled by its token; invalid, expired and used tokens are refused", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/terminais`);
    const [company] = await companies(page);
    const serial = newSerial();
    const expired = await issueToken(page, { valid_seconds: 0 });
    const valid = await issueToken(page, { serial_number: serial });
    await page.getByRole("button", { name: "Habilitar maquininha" }).click();
    const form = page.getByRole("dialog", { name: "Habilitar maquininha" });
    const enable = form.getByRole("button", { name: "Habilitar", exact: true });
    await enable.click();
    await expect(form.getByText("requerido")).toHaveCount(3);
    await form.getByRole("combobox", { name: "Empresa" }).fill(company?.name ?? "");
    await page.getByRole("option", { name: company?.name ?? "" }).click();
    await form.getByRole("combobox", { name: "Empresa" }).click();
    await page.getByRole("option", { name: company?.name ?? "" }).click();
    await expect(form.getByRole("combobox", { name: "Empresa" })).toHaveValue(company?.name ?? "");
    await form.getByLabel("Número de série").fill(serial);
    // A digit too many is refused and not cut off.
    await form.getByLabel("Token").fill(`${valid}1`);
    await expect(form.getByLabel("Token")).toHaveValue(`${valid}1`);
    await enable.click();
    await expect(form.getByText("O token deve ter 8 dígitos.")).toBeVisible();
    await form.getByLabel("Token").fill("1234567");
    await enable.click();
    await expect(form.getByText("O token deve ter 8 dígitos.")).toBeVisible();
    await form.getByLabel("Token").fill(valid === "00000000" ? "00000001" : "00000000");
    await enable.click();
    await expect(form.getByText("Token inválido. Confira os 8 dígitos na maquininha.")).toBeVisible();
    await form.getByLabel("Token").fill(expired);
    await enable.click();
    await expect(form.getByText("Este token expirou. Gere outro na maquininha.")).toBeVisible();
    await form.getByLabel("Token").fill(valid);
    await enable.click();
    await expect(page.getByText(`Maquininha ${serial} habilitada para ${company?.name}.`)).toBeVisible();
    await page.getByRole("textbox", { name: "Número de série" }).fill(serial.toLowerCase());
    await expect(page).toHaveURL(new RegExp(`serial=${serial.toLowerCase()}`));
    await expect(page.getByRole("link", { name: `Abrir a maquininha ${serial}` })).toBeVisible();
    // The token was used, and the serial number is registered.
    await page.getByRole("button", { name: "Habilitar maquininha" }).click();
    await form.getByRole("combobox", { name: "Empresa" }).fill(company?.name ?? "");
    await page.getByRole("option", { name: company?.name ?? "" }).click();
    await form.getByLabel("Token").fill(valid);
    await form.getByLabel("Número de série").fill(serial);
    await enable.click();
    await expect(
      form.getByText(`A maquininha ${serial} já está cadastrada para ${company?.name}.`),
    ).toBeVisible();
    await form.getByLabel("Número de série").fill(newSerial());
    await enable.click();
    await expect(form.getByText("Este token já foi usado. Gere outro na maquininha.")).toBeVisible();
  });

  test("a machine is billed, moved to another company and removed", async ({ page, baseURL }) => {
    const home = staffUrl(baseURL);
    await openHost(page, home);
    const [first, second] = await companies(page);
    if (!first || !second) throw new Error("the story has fewer than two companies");
    const serial = await enableMachine(page, first);
    await openMachine(page, home, serial);
    await chooseRowAction(page, serial, "Mudar cobrança");
    const billing = page.getByRole("dialog", { name: `Cobrança da maquininha ${serial}` });
    const kind = billing.getByRole("combobox", { name: "Cobrança" });
    const shown = await kind.inputValue();
    await kind.click();
    // Choosing the chosen option again keeps it.
    await page.getByRole("option", { selected: true }).click();
    await expect(kind).toHaveValue(shown);
    await billing.getByRole("combobox", { name: "Cobrança" }).click();
    await page.getByRole("option", { name: "Aluguel" }).click();
    await billing.getByLabel("Mensalidade").fill("5990");
    await billing.getByRole("combobox", { name: "Aquisição" }).click();
    await page.getByRole("option", { name: "Comprada" }).click();
    await billing.getByRole("button", { name: "Salvar" }).click();
    await expect(billing.getByText("Uma maquininha comprada não paga aluguel.")).toBeVisible();
    await billing.getByRole("combobox", { name: "Aquisição" }).click();
    await page.getByRole("option", { name: "Alugada" }).click();
    await billing.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText(`Cobrança da maquininha ${serial} salva.`)).toBeVisible();
    await chooseRowAction(page, serial, "Mudar empresa");
    const move = page.getByRole("dialog", { name: `Mudar a empresa da maquininha ${serial}` });
    await move.getByRole("button", { name: "Mudar empresa" }).click();
    await expect(move.getByText("requerido")).toBeVisible();
    await move.getByRole("combobox", { name: "Nova empresa" }).fill(second.name);
    await page.getByRole("option", { name: second.name }).click();
    await move.getByRole("button", { name: "Mudar empresa" }).click();
    await expect(page.getByText(`Maquininha ${serial} agora é de ${second.name}.`)).toBeVisible();
    await chooseRowAction(page, serial, "Remover da empresa");
    const removal = page.getByRole("dialog", { name: `Remover a maquininha ${serial}?` });
    await expect(removal.getByText("O aluguel termina.")).toBeVisible();
    await removal.getByRole("button", { name: "Remover" }).click();
    await expect(page.getByText(`Maquininha ${serial} devolvida ao estoque.`)).toBeVisible();
    await page.getByRole("link", { name: `Abrir a maquininha ${serial}` }).click();
    const owners = page.getByRole("dialog").getByRole("region", { name: "Empresas" }).getByRole("listitem");
    await expect(owners).toHaveText([
      /^Em estoque/,
      new RegExp(`^${second.name}`),
      new RegExp(`^${first.name}`),
    ]);
    const billings = page
      .getByRole("dialog")
      .getByRole("region", { name: "Cobranças" })
      .getByRole("listitem");
    const texts = (await billings.allTextContents()).map(plain);
    expect(texts[1]).toContain("Aluguel, R$ 59,90 por mês");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: `Ações: ${serial}` }).click();
    await expect(page.getByRole("menuitem", { name: "Mudar cobrança" })).toContainText("nenhuma empresa");
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("a machine is renamed, and its row opens the list of its sales", async ({ page }) => {
    await page.goto("/maquininha");
    const { businesses } = await api.me(page);
    const business_id = businesses[0]?.id ?? "";
    const menus = page.getByRole("button", { name: /^Ações: / });
    await menus.first().click();
    await chooseItem(page.getByRole("menuitem", { name: "Mudar nome" }));
    const form = page.getByRole("dialog", { name: /^Nome da maquininha / });
    const before = await form.getByLabel("Nome").inputValue();
    await form.getByLabel("Nome").fill("é".repeat(61));
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form.getByText("O nome deve ter até 60 caracteres, em uma linha.")).toBeVisible();
    await form.getByLabel("Nome").fill("Caixa da frente");
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(page.getByText("Maquininha renomeada para Caixa da frente.")).toBeVisible();
    await chooseRowAction(page, "Caixa da frente", "Mudar nome");
    await form.getByLabel("Nome").fill(before);
    await form.getByRole("button", { name: "Salvar" }).click();
    await expect(form).toBeHidden();
    await page
      .getByRole("link", { name: /^Ver as vendas de / })
      .first()
      .click();
    await expect(page).toHaveURL(/\/maquininha\/vendas\?terminal=ter_/);
    const terminal = new URL(page.url()).searchParams.get("terminal") ?? "";
    const { meta } = await api.sales(page, { business_id, solution: 1, terminal, perPage: 1 });
    const shown = new Intl.NumberFormat("pt-BR").format(meta.total);
    await expect(page.getByText(new RegExp(` de (mais de )?${shown}$`))).toBeVisible();
    await expect(page.getByRole("combobox", { name: "Solução" })).toHaveCount(0);
    await page
      .getByRole("link", { name: /^Abrir a venda / })
      .first()
      .click();
    await expect(page).toHaveURL(/\/maquininha\/vendas\/sal_/);
    await page.getByRole("link", { name: "Voltar para as vendas" }).click();
    await expect(page).toHaveURL(new RegExp(`/maquininha/vendas\\?terminal=${terminal}`));
  });
});
