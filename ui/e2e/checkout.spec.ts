// The checkout on a phone: a buyer without a session pays a link by each payment type, up to the confirmed payment.
import { gzipSync } from "node:zlib";
import { type Browser, expect, type Page } from "@playwright/test";
import { openHost, plain, sendFromPage } from "./panel";
import { checkScreen, PHONE } from "./screen-checks";
import { server } from "./servers";
import { signedInState, test } from "./signed-in";

test.use({ viewport: PHONE });

const APPROVED = "4242 4242 4242 4242";
const DECLINED = "4000 0000 0000 0002";
const SECURITY_CODE = "737";

/** A link of a seller of the story. */
async function createLink(browser: Browser, baseURL: string | undefined, fields: object): Promise<string> {
  const storageState = await signedInState(browser, baseURL, "owner");
  const context = await browser.newContext({ storageState });
  const page = await context.newPage();
  await openHost(page, baseURL ?? "");
  const link = await sendFromPage<{ code: string }>(page, "POST", "/payment-link", {
    description: "Bolo de chocolate",
    payment_types: ["credit", "pix", "boleto"],
    installments_max: 3,
    ...fields,
  });
  await context.close();
  return link.code;
}

async function fillBuyer(page: Page) {
  await page.getByLabel("Nome completo").fill("Marina Souza Costa");
  await page.getByLabel("CPF ou CNPJ").pressSequentially("52998224725");
  await page.getByLabel("Celular com DDD").pressSequentially("11987654321");
  await page.getByLabel("E-mail para o comprovante").fill("marina@exemplo.com.br");
}

async function fillCard(page: Page, number: string) {
  await page.getByLabel("Número do cartão").fill(number);
  await page.getByLabel("Validade").fill("08/29");
  await page.getByLabel("Código (CVV)").fill(SECURITY_CODE);
  await page.getByLabel("Nome impresso no cartão").fill("MARINA S COSTA");
}

/** Pays, at the sandbox, the open charge of this amount. */
async function payCharge(page: Page, amount: number) {
  const answer = await page.request.get(`${server.sandbox}/sandbox/charges`);
  const charges = (await answer.json()) as { id: string; amount: number; state: unknown }[];
  const open = charges.find((charge) => charge.amount === amount && charge.state === "pending");
  expect(open, JSON.stringify(charges)).toBeDefined();
  const paid = await page.request.post(`${server.sandbox}/sandbox/charges/${open?.id}/pay`);
  expect(paid.status()).toBe(200);
}

const isPaid = (page: Page) =>
  expect(page.getByRole("heading", { name: "Pagamento confirmado" })).toBeVisible();

test("a PIX is shown, survives a reload and another tab, and is paid before the buyer's eyes", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 183_00;
  const code = await createLink(browser, baseURL, { amount });
  const policyFaults: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) policyFaults.push(message.text());
  });
  const opened = await page.goto(`/pl/${code}`);
  const policy = opened?.headers()["content-security-policy"] ?? "";
  expect(policy).toContain(`connect-src 'self' ${new URL(server.sandbox).origin};`);
  expect(policy).not.toContain("unsafe");
  await page.getByRole("radio", { name: /^PIX/ }).check();
  await fillBuyer(page);
  await checkScreen(page, "Pagamento", undefined, { whole: true });
  await page.setViewportSize(PHONE);
  await page.reload();
  await expect(page.getByLabel("CPF ou CNPJ")).toHaveValue("529.982.247-25");
  await page.getByRole("button", { name: /^Gerar PIX/ }).dblclick();
  await expect(page.getByRole("img", { name: "QR Code do PIX" })).toBeVisible();
  const pix = await page.getByLabel("Código PIX copia e cola").inputValue();
  expect(pix).toMatch(/^000201.*6304[0-9A-F]{4}$/);
  await checkScreen(page, "PIX", undefined, { whole: true });
  await page.setViewportSize(PHONE);
  const address = page.url();
  await page.goto(`/pl/${code}`);
  await expect(page).toHaveURL(address);
  await expect(page.getByLabel("Código PIX copia e cola")).toHaveValue(pix);
  await payCharge(page, amount);
  await isPaid(page);
  await checkScreen(page, "Pagamento confirmado", undefined, { whole: true });
  expect(policyFaults).toEqual([]);
});

test("a card with faults is corrected, is declined, and another one pays; card data never come to us", async ({
  page,
  browser,
  baseURL,
}) => {
  const code = await createLink(browser, baseURL, { amount: 184_00 });
  const sent: string[] = [];
  let weight = 0;
  page.on("request", (request) => {
    if (request.url().startsWith(baseURL ?? "")) sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  page.on("response", async (response) => {
    if (/\/assets\/.*\.js$/.test(response.url())) weight += gzipSync(await response.body()).length;
  });
  await page.goto(`/pl/${code}`);
  await fillCard(page, "4242 4242 4242 4241");
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await expect(page.getByText("Número do cartão inválido. Confira os dígitos.")).toBeVisible();
  await expect(page.getByText("Nome é requerido.")).toBeVisible();
  await expect(page.getByLabel("Número do cartão")).toBeFocused();
  await checkScreen(page, "Pagamento with faults", undefined, { whole: true });
  await page.setViewportSize(PHONE);
  expect(weight / 1000, "kB of JavaScript").toBeLessThan(90);
  await fillBuyer(page);
  await fillCard(page, DECLINED);
  await page.getByLabel("Parcelas").selectOption("3");
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await expect(page.getByRole("heading", { name: "O pagamento não foi aprovado" })).toBeVisible();
  // What was typed is still there, so that only the card changes.
  await expect(page.getByLabel("Nome impresso no cartão")).toHaveValue("MARINA S COSTA");
  await fillCard(page, APPROVED);
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await isPaid(page);
  await expect(page.getByText("Cartão de crédito em 3x")).toBeVisible();
  const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  for (const text of [...sent, stored]) {
    for (const number of [APPROVED, DECLINED]) expect(text).not.toContain(number.replaceAll(" ", ""));
    expect(text).not.toContain(`"${SECURITY_CODE}"`);
  }
});

test("a boleto needs an address, is opened by its own address, and is paid", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 185_00;
  const code = await createLink(browser, baseURL, { amount: null, amount_min: 10_00, amount_max: 500_00 });
  await page.goto(`/pl/${code}`);
  await page.getByLabel("Valor que você quer pagar").pressSequentially(String(amount));
  await page.getByRole("radio", { name: /^Boleto/ }).check();
  await fillBuyer(page);
  await page.getByRole("button", { name: /^Gerar boleto de/ }).click();
  await expect(page.getByText("O Estado é requerido.")).toBeVisible();
  await page.getByLabel("CEP").pressSequentially("01310100");
  await page.getByLabel("Número", { exact: true }).fill("1578");
  await page.getByLabel("Rua ou avenida").fill("Avenida Paulista");
  await page.getByLabel("Bairro").fill("Bela Vista");
  await page.getByLabel("Cidade").fill("São Paulo");
  await page.getByLabel("Estado").selectOption("SP");
  expect(plain((await page.getByRole("button", { name: /^Gerar boleto/ }).textContent()) ?? "")).toContain(
    "R$ 185,00",
  );
  await page.getByRole("button", { name: /^Gerar boleto/ }).click();
  await expect(page.getByText(/^Linha digitável: \d{5}\.\d{5} /)).toBeVisible();
  await expect(page.getByRole("img", { name: "Código de barras do boleto" })).toBeVisible();
  await checkScreen(page, "Boleto", undefined, { whole: true });
  await page.setViewportSize(PHONE);
  const reference = page.url().split("/").at(-2);
  const pdf = await page.request.get(`/api/transactions/${reference}/boleto`);
  expect(pdf.headers()["content-type"]).toBe("application/pdf");
  await payCharge(page, amount);
  await isPaid(page);
  await page.goto(`/b/${reference}`);
  await expect(page.getByRole("heading", { name: "Este boleto já foi pago" })).toBeVisible();
  await page.goto("/b/0000000000");
  await expect(page.getByRole("heading", { name: "Boleto não encontrado" })).toBeVisible();
  await page.goto("/pl/000000000000");
  await expect(page.getByRole("heading", { name: "Link não encontrado" })).toBeVisible();
});
