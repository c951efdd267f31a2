// Settlements: staff import a file with one difference, resolve it, set an expected rate, and see the file's day.
import { expect } from "@playwright/test";
import { sendFromPage, staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form } from "./users";

test.use({ storageState: stateOf("administrator") });

/** The number of CeoPag P2 in the API. */
const CEOPAG_P2 = 8;

/** A line of fields at fixed places, counted from 1. */
function line(length: number, fields: Record<number, string>): string {
  const characters = Array.from({ length }, () => " ");
  for (const [place, text] of Object.entries(fields)) {
    [...text].forEach((character, index) => {
      characters[Number(place) - 1 + index] = character;
    });
  }
  return `${characters.join("")}\r\n`;
}

/**
 * A card file with one payment of a charge that no sale has. The places of its fields are those of
 * gateway/formats/src/settlement_files/card_file/mod.rs.
 */
function cardFile(tid: string): string {
  const amount = (cents: number) => `+${String(cents).padStart(13, "0")}`;
  const day = "10112026";
  return [
    // The file is dated twenty days after the tests' today, so the panel asks.
    line(73, { 1: "0", 2: "0000000001", 12: "20261211", 43: "CIELO", 48: "04", 71: "015" }),
    line(637, {
      1: "E",
      18: "01",
      20: "01",
      22: "A1B2C3",
      28: "02",
      176: "000001",
      192: tid,
      261: amount(123_45),
      275: amount(120_00),
      289: amount(3_45),
      590: "10102026",
      630: day,
    }),
    line(12, { 1: "9", 2: "00000000001" }),
  ].join("");
}

test("staff import a file, resolve its difference and set an expected rate", async ({ page, baseURL }) => {
  const screen = `${staffUrl(baseURL)}/ajustes/conciliacao`;
  const tid = `TID${Date.now()}`;
  await page.goto(`${screen}?tab=imports`);
  const upload = page.getByRole("form", { name: "Importar arquivo" });
  await upload.getByRole("button", { name: "Importar arquivo" }).click();
  await expect(upload.getByText("Informe a adquirente.")).toBeVisible();
  await upload.getByRole("combobox", { name: "Adquirente" }).click();
  await page.getByRole("option", { name: "CeoPag P2" }).click();
  const buffer = Buffer.from(cardFile(tid));
  const files = { name: "extrato.txt", mimeType: "text/plain", buffer };
  await page.locator("input[type=file]").setInputFiles(files);
  await upload.getByRole("button", { name: "Importar arquivo" }).click();
  await expect(upload.getByRole("alert")).toContainText("O arquivo é do dia 11/12/2026, daqui a 20 dias.");
  await checkScreen(page, "Importação que pergunta pela data");
  await upload.getByRole("button", { name: "Importar mesmo assim" }).click();
  await expect(flashMessage(page, "Arquivo recebido.")).toBeVisible();
  const imported = page.getByRole("table", { name: "Lista de importações" }).getByRole("row").nth(1);
  await expect(imported).toContainText("Concluída");
  await checkScreen(page, "Importações");

  await page.getByRole("tab", { name: "Diferenças" }).click();
  await page.getByLabel("Buscar").fill(tid);
  const found = page.getByRole("link", { name: `Ver a diferença Desconhecida ${tid}` });
  await expect(found).toBeVisible();
  await checkScreen(page, "Diferenças");
  await found.click();
  const modal = form(page, "Diferença: Desconhecida");
  await expect(modal).toContainText("R$ 123,45");
  await modal.getByRole("button", { name: "Resolver" }).click();
  await expect(modal.getByText("Informe o motivo.")).toBeVisible();
  const reason = modal.getByRole("textbox", { name: "Motivo" });
  await reason.fill("Venda de teste da adquirente.");
  // The difference changes while the modal is open.
  const id = new URL(page.url()).searchParams.get("difference");
  const decisions = `/admin/settlements/differences/${id}`;
  for (const action of ["resolve", "reopen"]) {
    await sendFromPage(page, "POST", `${decisions}/${action}`, { reason: "Outra pessoa decidiu." });
  }
  await modal.getByRole("button", { name: "Resolver" }).click();
  await expect(modal.getByRole("alert")).toBeVisible();
  await expect(reason).toHaveValue("Venda de teste da adquirente.");
  // The difference was read again, so the next decision is about its new version.
  await expect(modal.getByRole("button", { name: "Resolver" })).toBeEnabled();
  await modal.getByRole("button", { name: "Resolver" }).click();
  await expect(flashMessage(page, "Diferença resolvida.")).toBeVisible();
  await expect(found).toBeHidden();

  await page.getByRole("tab", { name: "Taxas esperadas" }).click();
  await page.getByRole("button", { name: "Nova taxa" }).click();
  const rate = form(page, "Taxa esperada");
  await rate.getByRole("button", { name: "Salvar taxa" }).click();
  await expect(rate.getByText("Informe uma taxa como 2,5.")).toBeVisible();
  await rate.getByRole("combobox", { name: "Adquirente" }).click();
  await page.getByRole("option", { name: "CeoPag P2" }).click();
  await rate.getByRole("combobox", { name: "Forma de pagamento" }).click();
  await page.getByRole("option", { name: "PIX" }).click();
  await rate.getByLabel("Válida a partir de").fill("2026-11-21");
  await rate.getByLabel("Taxa (%)").fill("0,99");
  await checkScreen(page, "Taxa esperada");
  await rate.getByRole("button", { name: "Salvar taxa" }).click();
  await expect(flashMessage(page, "CeoPag P2 · PIX: taxa salva.")).toBeVisible();
  const expected = page.getByRole("list", { name: "Taxas esperadas por adquirente" }).getByRole("listitem");
  await expect(expected.filter({ hasText: "CeoPag P2 · PIX" })).toContainText("0,99%Desde 21/11/2026");
  await checkScreen(page, "Taxas esperadas");

  await page.goto(`${screen}?tab=days&provider=${CEOPAG_P2}&start=2026-11-10&end=2026-11-10`);
  const day = page.getByRole("table", { name: "Conciliação por dia" }).getByRole("row").nth(1);
  // Expected, reported, paid, cost, difference, open.
  await expect(day).toContainText(/R\$\s0,00R\$\s123,45R\$\s0,00R\$\s3,45R\$\s123,450$/);
});
