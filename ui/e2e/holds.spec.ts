// Held money in both panels: the seller reads why and sends a document, staff accept it and release; a court's order
// needs two people. Also the screens: WCAG 2.2 AA in both themes, and no overflow at three sizes.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { money } from "../src/format/money";
import { api, chooseBusiness, chooseItem, getFromPage, openHost, sendFromPage, staffUrl } from "./panel";
import { checkScreen, SIZES } from "./screen-checks";
import { asStaff, test } from "./signed-in";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];

const HOLDS = "/admin/balance/holds";
const PDF = Buffer.from("%PDF-1.4\n1 0 obj<</Type/Page>>endobj\n");

const place = (business_id: string, change: object) => (page: Page) =>
  sendFromPage<Schemas["HoldDetail"]>(page, "POST", HOLDS, {
    business_id,
    amount: 150,
    reason: "Venda de valor incomum",
    ...change,
  });

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("a seller reads why money is held and sends a document, and staff accept it and release", async ({
    page,
    browser,
    baseURL,
  }) => {
    const business = await chooseBusiness(page, baseURL, "owner");
    const asked = "Nota fiscal da venda";
    const hold = await asStaff(
      browser,
      baseURL,
      "administrator",
      place(business, { documents: [asked], until: "2099-12-31" }),
    );
    await page.goto("/financeiro");
    await page.getByRole("link", { name: "Ver valores retidos" }).click();
    const held = page.getByRole("list", { name: "O que está retido" });
    const first = held.getByRole("listitem").first();
    await expect(first).toContainText("Pede ação sua");
    await expect(first).toContainText("Venda de valor incomum");
    await expect(first).toContainText("31/12/2099");
    const { held_by_staff } = await api.balance(page, business);
    await expect(page.getByRole("region", { name: "O que está retido" })).toContainText(money(held_by_staff));
    await checkScreen(page, "held money", SIZES);
    await first.getByRole("link").click();

    await expect(page.getByText(`Falta enviar: ${asked}.`)).toBeVisible();
    const form = page.getByRole("form", { name: "Enviar arquivo" });
    await form.getByRole("button", { name: "Enviar arquivo" }).click();
    await expect(form.getByText("Escolha um arquivo.")).toBeVisible();
    const chooser = page.waitForEvent("filechooser");
    await form.getByRole("button", { name: "Arquivo", exact: true }).click();
    await (await chooser).setFiles({ name: "nota.pdf", mimeType: "application/pdf", buffer: PDF });
    await form.getByRole("button", { name: "Enviar arquivo" }).click();
    await expect(page.getByText("Documento enviado. Nossa equipe vai conferir.")).toBeVisible();
    const files = page.getByRole("list", { name: `Arquivos de ${asked}` });
    await expect(files.getByRole("link", { name: "nota.pdf" })).toBeVisible();
    await expect(files).toContainText("Em análise");
    await checkScreen(page, "a hold", SIZES);

    await asStaff(browser, baseURL, "administrator", async (staff) => {
      await staff.goto(
        `${staffUrl(baseURL)}/saques/retencoes?tab=documents&answer=sent&business=${business}`,
      );
      await checkScreen(staff, "the queue of documents", SIZES);
      await staff
        .getByRole("link", { name: new RegExp(`^Ver a retenção: ${asked}`) })
        .first()
        .click();
      await expect(staff.getByRole("heading", { name: /^Análise: / })).toBeVisible();
      await checkScreen(staff, "a hold for staff", SIZES);
      await staff.getByRole("button", { name: "Aceitar nota.pdf" }).click();
      await staff
        .getByRole("dialog", { name: "Aceitar documento" })
        .getByRole("button", { name: "Aceitar" })
        .click();
      await expect(staff.getByText("nota.pdf aceito.")).toBeVisible();
      await staff.getByRole("button", { name: "Liberar" }).click();
      const release = staff.getByRole("dialog", { name: "Liberar saldo" });
      await release.getByLabel("Motivo (o vendedor lê)").fill("Nota conferida");
      await release.getByRole("button", { name: "Confirmar" }).click();
      await expect(release).toHaveCount(0);
      await expect(staff.getByText("Encerrada", { exact: true })).toBeVisible();
    });
    await page.goto(`/financeiro/valores-retidos/${hold.id}`);
    await expect(page.getByText("Aceito", { exact: true })).toBeVisible();
    await expect(page.getByRole("list", { name: "O que aconteceu com esta retenção" })).toContainText(
      "Nota conferida",
    );
    await page.goto("/financeiro/valores-retidos?tab=ended");
    await expect(page.getByRole("link", { name: /^Ver Análise de / }).first()).toBeVisible();
  });
});

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("a court's order is placed by two people", async ({ page, browser, baseURL }) => {
    await openHost(page, staffUrl(baseURL));
    const { data } = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
    const school = data.find(({ name }) => name.includes("Idiomas"));
    if (!school) throw new Error("the story has no language school");
    await page.goto(`${staffUrl(baseURL)}/empresas/${school.id}/saldo`);
    await page.getByRole("button", { name: "Bloquear" }).click();
    const form = page.getByRole("dialog", { name: "Bloquear saldo" });
    await form.getByRole("combobox", { name: "Tipo" }).click();
    await page.getByRole("option", { name: "Bloqueio judicial" }).click();
    await form.getByRole("textbox", { name: "Valor da ordem" }).pressSequentially("100");
    await form.getByLabel("Motivo (o vendedor lê)").fill("Bloqueio ordenado pelo juiz");
    await form.getByRole("button", { name: "Confirmar" }).click();
    await expect(form.getByText("Informe o número do processo.")).toBeVisible();
    const number = `${Date.now()}-99.2026.8.26.0114`;
    await form.getByLabel("Número do processo").fill(number);
    await form.getByLabel("Vara").fill("3ª Vara Cível");
    await form.getByRole("button", { name: "Confirmar" }).click();
    await expect(page.getByText(/Ele só entra no saldo depois que outra pessoa aprovar\.$/)).toBeVisible();
    const open = { kind: "judicial", state: "open", business_id: school.id };
    const placed = () => getFromPage<Schemas["HoldPage"]>(page, HOLDS, open);
    const ofCase = async () => (await placed()).data.filter(({ case_number }) => case_number === number);
    expect(await ofCase()).toEqual([]);

    await asStaff(browser, baseURL, "platformOwner", async (second) => {
      await second.goto(`${staffUrl(baseURL)}/ajustes/operacao?tab=adjustments&status=pending`);
      await second
        .getByRole("button", { name: new RegExp(school.name) })
        .first()
        .click();
      await chooseItem(second.getByRole("menuitem", { name: `Ver o ajuste de ${school.name}` }));
      const request = second.getByRole("dialog", { name: /^Bloqueio judicial: / });
      await expect(request).toContainText(number);
      await request.getByRole("button", { name: "Aprovar" }).click();
      await expect(request).toHaveCount(0);
    });
    await expect.poll(async () => (await ofCase()).length).toBe(1);
    await page.goto(`${staffUrl(baseURL)}/saques/retencoes?kind=judicial`);
    await checkScreen(page, "holds for staff", SIZES);
    // A letter of the court has other punctuation.
    const found = page.waitForResponse((response) => response.url().includes("case_number="));
    await page.getByRole("textbox", { name: "Processo" }).fill(number.replaceAll(/\D/g, ""));
    const { meta } = (await (await found).json()) as Schemas["HoldPage"];
    expect(meta.total).toBe(1);
    await expect(page.getByRole("link", { name: `Ver Bloqueio judicial de ${school.name}` })).toHaveCount(1);
  });
});
