// The verified history: a seller downloads the proof of the company and checks files, staff see the checkpoints.
import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { owner, stateOf } from "./story-users";

const PAGE = "/relatorios/historico";

interface CompanyProof {
  kind: string;
  events: { sequence: number; payload: string }[];
  period: object | null;
}

async function downloadProof(page: Page): Promise<{ name: string; text: string; proof: CompanyProof }> {
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Baixar comprovante" }).click();
  const saved = await saving;
  const text = await readFile(await saved.path(), "utf8");
  return { name: saved.suggestedFilename(), text, proof: JSON.parse(text) };
}

/** Chooses a file of this content in the panel that checks files. */
async function checkFile(page: Page, name: string, content: string) {
  const chooser = page.waitForEvent("filechooser");
  await page.getByRole("button", { name: "Escolher arquivo" }).click();
  const buffer = Buffer.from(content);
  await (await chooser).setFiles({ name, mimeType: "application/json", buffer });
}

test.describe("a seller", () => {
  test.use({ storageState: stateOf("owner") });

  test("downloads the proof of the company and checks it in the browser", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Páginas de Relatórios" }).click();
    await page.getByRole("link", { name: "Histórico verificado" }).click();
    await expect(page).toHaveTitle(/ \| Histórico verificado$/);
    const checked = page.getByRole("region", { name: "O que foi conferido" });
    await expect(checked).toContainText("Ponto de verificação");
    await checkScreen(page, "Histórico verificado");

    const { name, text, proof } = await downloadProof(page);
    expect(name).toMatch(/^comprovante-.*\.json$/);
    expect(proof).toMatchObject({ kind: "company", period: null });
    await checkFile(page, name, text);
    const result = page.getByRole("region", { name: "Conferir um arquivo" });
    await expect(result).toContainText("O comprovante é válido");
    await expect(result).toContainText(owner.access[0]?.name ?? "");
    await expect(result.getByRole("table", { name: "Saldos" })).toContainText("No ponto de verificação");
    await checkScreen(page, "Histórico verificado, arquivo válido");

    const [first] = proof.events;
    if (!first) throw new Error("the proof has no events");
    first.payload = first.payload.replace(/\d/, (digit) => String((Number(digit) + 1) % 10));
    await checkFile(page, "alterado.json", JSON.stringify(proof));
    await expect(result).toContainText("O arquivo não confere");
    await expect(result).toContainText("alterado.json");
    await checkScreen(page, "Histórico verificado, arquivo alterado");

    await checkFile(page, "outro.json", "{}");
    await expect(result).toContainText("não tem o formato de um comprovante");
  });

  test("downloads the figures of a period", async ({ page }) => {
    await page.goto(PAGE);
    await page.getByRole("button", { name: /^Período/ }).click();
    await page.getByRole("button", { name: "Este mês" }).click();
    const { name, text, proof } = await downloadProof(page);
    expect(proof.period).not.toBeNull();
    await checkFile(page, name, text);
    const result = page.getByRole("region", { name: "Conferir um arquivo" });
    await expect(result).toContainText("01/11/2026 a 21/11/2026");
    await expect(result.getByRole("table", { name: "Saldos" })).toContainText("No fim");
  });
});

test("an operator does not reach the history", async ({ browser, baseURL }) => {
  const storageState = await signedInState(browser, baseURL, "operator");
  const page = await (await browser.newContext({ storageState })).newPage();
  await page.goto(`${baseURL}${PAGE}`);
  await expect(page.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
  await page.context().close();
});

test("an administrator sees the checkpoints of all partitions", async ({ browser, baseURL }) => {
  const storageState = await signedInState(browser, baseURL, "administrator");
  const page = await (await browser.newContext({ storageState })).newPage();
  await page.goto(`${staffUrl(baseURL)}/ajustes/historico`);
  const rows = page.getByRole("table", { name: "Partições" }).getByRole("row");
  // The head, and at least one partition.
  await expect(rows.nth(1)).toBeVisible();
  await expect(page.getByRole("region", { name: "Conferências" })).toContainText("Saldos recalculados");
  await page.getByText("Ver as chaves").click();
  await expect(page.getByRole("table", { name: "Chaves públicas da plataforma" })).toContainText(
    /[0-9a-f]{64}/,
  );
  await checkScreen(page, "Histórico verificado da plataforma");
  await page.context().close();
});

test("other staff do not", async ({ browser, baseURL }) => {
  const storageState = await signedInState(browser, baseURL, "sac");
  const page = await (await browser.newContext({ storageState })).newPage();
  await page.goto(`${staffUrl(baseURL)}/ajustes/historico`);
  await expect(page.getByRole("heading", { name: "Acesso negado" })).toBeVisible();
  await page.context().close();
});
