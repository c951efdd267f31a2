// The checkout on a phone: a buyer without a session pays a link by each payment type, up to the confirmed payment and
// the seller's statement.
import { expect, type Page } from "@playwright/test";
import { countScripts, readQrCode } from "./checkout-page";
import { plain } from "./panel";
import { checkScreen, PHONE } from "./screen-checks";
import {
  BOLETO_FEE,
  CARD_FEE_PERCENT,
  chargesOf,
  chooseCardAcquirers,
  createLink,
  expectInStatement,
  PIX_FEE,
  settleAtOnce,
} from "./seller-and-acquirer";
import { server } from "./servers";
import { signedInState, test } from "./signed-in";

test.use({ viewport: PHONE });

const APPROVED = "4242 4242 4242 4242";
const DECLINED = "4000 0000 0000 0002";
const CHALLENGED = "4000 0000 0004 0321";
const SECURITY_CODE = "737";

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

async function orderStatus(page: Page, reference: string | undefined): Promise<{ status: string }> {
  return await (await page.request.get(`/api/transactions/${reference}/status`)).json();
}

/** Pays or expires, at the sandbox, the open charge of this amount. Each test has its own amount. */
async function changeCharge(page: Page, amount: number, change: "pay" | "expire") {
  const charges = await chargesOf(page, amount);
  const open = charges.find(({ state }) => state === "pending");
  expect(open, JSON.stringify(charges)).toBeDefined();
  const changed = await page.request.post(`${server.sandbox}/sandbox/charges/${open?.id}/${change}`);
  expect(changed.status()).toBe(200);
}

/** The gateway places each new order, but the page gets no answer. The returned function lets answers through again. */
async function loseAnswers(page: Page): Promise<() => Promise<void>> {
  const orders = "**/placeorder";
  await page.route(orders, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  return () => page.unroute(orders);
}

/**
 * The page reads that the link's card form is closed. The returned function ends that, and advances the page's clock
 * until the page reads the link again.
 */
async function closeCardForm(page: Page, code: string): Promise<() => Promise<void>> {
  const link = new RegExp(`/api/pl/${code}(\\?|$)`);
  await page.clock.install();
  await page.route(link, async (route) => {
    const response = await route.fetch();
    const json = { ...(await response.json()), card_closed_until: "2026-11-21T15:30:00Z" };
    await route.fulfill({ response, json });
  });
  return async () => {
    await page.unroute(link);
    await page.clock.fastForward("00:30");
  };
}

/** Checks that neither storage nor texts have a card's number or code, and that the storage has no token. */
async function expectNoCard(page: Page, texts: string[]) {
  const stored = await page.evaluate(() => JSON.stringify([{ ...sessionStorage }, { ...localStorage }]));
  expect(stored).not.toContain("token");
  for (const text of [...texts, stored]) {
    for (const number of [APPROVED, DECLINED, CHALLENGED]) {
      expect(text.replaceAll(" ", "")).not.toContain(number.replaceAll(" ", ""));
    }
    expect(text).not.toContain(`"${SECURITY_CODE}"`);
  }
}

const expectPaid = (page: Page) =>
  expect(page.getByRole("heading", { name: "Pagamento confirmado" })).toBeVisible();

test("typed data survive a reload; a PIX is shown again by its link, and is paid while its page is open", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 183_00;
  await settleAtOnce(browser, baseURL);
  const code = await createLink(browser, baseURL, { amount });
  const policyFaults: string[] = [];
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) policyFaults.push(message.text());
  });
  const checkScripts = countScripts(page);
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
  expect(await readQrCode(page)).toBe(pix);
  await checkScreen(page, "PIX", undefined, { whole: true });
  await page.setViewportSize(PHONE);
  const address = page.url();
  await page.goto(`/pl/${code}`);
  await expect(page).toHaveURL(address);
  await expect(page.getByLabel("Código PIX copia e cola")).toHaveValue(pix);
  await changeCharge(page, amount, "pay");
  await expectPaid(page);
  await checkScripts();
  await checkScreen(page, "Pagamento confirmado", undefined, { whole: true });
  expect(policyFaults).toEqual([]);
  await expectInStatement(page, baseURL, amount, amount - PIX_FEE);
});

test("a faulty card is corrected and declined, and another pays; card numbers stay off the platform", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 184_00;
  await settleAtOnce(browser, baseURL);
  const code = await createLink(browser, baseURL, { amount });
  const sent: string[] = [];
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  const checkScripts = countScripts(page);
  page.on("request", (request) => {
    if (request.url().startsWith(baseURL ?? "")) sent.push(`${request.url()} ${request.postData() ?? ""}`);
  });
  await page.goto(`/pl/${code}`);
  await fillCard(page, "4242 4242 4242 4241");
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await expect(page.getByText("Número do cartão inválido. Confira os dígitos.")).toBeVisible();
  await expect(page.getByText("Nome é requerido.")).toBeVisible();
  await expect(page.getByLabel("Número do cartão")).toBeFocused();
  await checkScreen(page, "Pagamento with faults", undefined, { whole: true });
  await page.setViewportSize(PHONE);
  await fillBuyer(page);
  await fillCard(page, DECLINED);
  await page.getByLabel("Parcelas").selectOption("3");
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await expect(page.getByRole("heading", { name: "O pagamento não foi aprovado" })).toBeVisible();
  // The typed fields are still there.
  await expect(page.getByLabel("Nome impresso no cartão")).toHaveValue("MARINA S COSTA");
  await fillCard(page, APPROVED);
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await expectPaid(page);
  await checkScripts();
  await expect(page.getByText("Cartão de crédito em 3x")).toBeVisible();
  await expectNoCard(page, [...sent, ...printed]);
  await expectInStatement(page, baseURL, amount, amount - (amount * CARD_FEE_PERCENT) / 100);
  // The money goes back, and the page says so.
  const paid = (await chargesOf(page, amount)).find(({ state }) => state === "paid");
  await page.request.post(`${server.sandbox}/sandbox/charges/${paid?.id}/refund`);
  const reference = page.url().split("/").at(-2);
  await expect.poll(async () => (await orderStatus(page, reference)).status).toBe("canceled");
  await page.reload();
  await expect(page.getByRole("heading", { name: "Este pagamento foi estornado" })).toBeVisible();
  await expect(page.getByText(/O valor de R\$\s184,00 foi devolvido/)).toBeVisible();
});

test("a closed card form opens again; a lost answer and a 3-D Secure challenge make one card payment", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 186_00;
  // Of the demo story's acquirers, only this one has 3-D Secure challenges.
  await chooseCardAcquirers(browser, baseURL, ["valori"]);
  const code = await createLink(browser, baseURL, { amount });
  const printed: string[] = [];
  page.on("console", (message) => printed.push(message.text()));
  const openAgain = await closeCardForm(page, code);
  await page.goto(`/pl/${code}`);
  await page.getByRole("radio", { name: /^Cartão/ }).check();
  await fillBuyer(page);
  await expect(page.getByText(/^O pagamento com cartão está fechado até/)).toBeVisible();
  await openAgain();
  // Nothing that was typed is lost.
  await expect(page.getByLabel("Nome completo")).toHaveValue("Marina Souza Costa");
  await fillCard(page, CHALLENGED);
  const answerAgain = await loseAnswers(page);
  await page.getByRole("button", { name: /^Pagar/ }).click();
  await expect(page.getByRole("heading", { name: "A resposta não chegou" })).toBeVisible();
  const repeat = page.getByRole("button", { name: "Tentar de novo" });
  await expect(repeat).toBeEnabled();
  await expectNoCard(page, printed);
  await answerAgain();
  await repeat.click();
  // The bank's page is at the acquirer, and leads back to the order.
  await page.getByRole("button", { name: "Confirmar" }).click();
  await expectPaid(page);
  await expect(page).toHaveURL(/\/transacao\/[0-9A-Za-z]{10}\/status$/);
  expect(await chargesOf(page, amount)).toHaveLength(1);
  await expectNoCard(page, printed);
  await chooseCardAcquirers(browser, baseURL, null);
});

test("two tabs without an answer and without streams make one PIX; an expired code is replaced", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 187_00;
  const code = await createLink(browser, baseURL, {
    amount,
    payment_types: ["pix"],
    installments_max: undefined,
  });
  const second = await page.context().newPage();
  const tabs = [page, second];
  const answersAgain: (() => Promise<void>)[] = [];
  for (const tab of tabs) {
    // Without streams, the pages poll.
    await tab.route("**/events", (route) => route.abort());
    await tab.goto(`/pl/${code}`);
    await fillBuyer(tab);
    answersAgain.push(await loseAnswers(tab));
  }
  await second.getByLabel("Nome completo").fill("Marina S. Costa");
  for (const tab of tabs) {
    await tab.getByRole("button", { name: /^Gerar PIX/ }).click();
    await expect(tab.getByRole("button", { name: "Tentar de novo" })).toBeEnabled();
  }
  for (const answerAgain of answersAgain) await answerAgain();
  for (const tab of tabs) {
    await tab.getByRole("button", { name: "Tentar de novo" }).click();
    await expect(tab.getByRole("img", { name: "QR Code do PIX" })).toBeVisible();
  }
  expect(second.url()).toBe(page.url());
  expect(await chargesOf(page, amount)).toHaveLength(1);
  await second.close();
  // The time left is by the gateway's clock, which is not the machine's.
  await expect(page.getByRole("timer")).toHaveText(/^\d\d:\d\d para pagar$/);
  const pix = await page.getByLabel("Código PIX copia e cola").inputValue();
  await changeCharge(page, amount, "expire");
  await expect(page.getByRole("heading", { name: "Este código PIX não vale mais" })).toBeVisible();
  await page.getByRole("button", { name: /^Gerar PIX/ }).click();
  await expect(page.getByRole("timer")).toContainText("para pagar");
  expect(await page.getByLabel("Código PIX copia e cola").inputValue()).not.toBe(pix);
  await changeCharge(page, amount, "pay");
  await expectPaid(page);
});

test("a boleto needs an address and has a PDF; its own address says that it was paid, then refunded", async ({
  page,
  browser,
  baseURL,
}) => {
  const amount = 185_00;
  await settleAtOnce(browser, baseURL);
  const checkScripts = countScripts(page);
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
  await changeCharge(page, amount, "pay");
  await expectPaid(page);
  await checkScripts();
  await expectInStatement(page, baseURL, amount, amount - BOLETO_FEE);
  await page.goto(`/b/${reference}`);
  await expect(page.getByText(/^Este boleto já foi pago\./)).toBeVisible();
  const [charge] = await chargesOf(page, amount);
  const storageState = await signedInState(browser, baseURL, "linkSeller");
  const seller = await (await browser.newContext({ storageState })).newPage();
  await seller.goto(`/links-de-pagamento/vendas/${charge?.sale_id}`);
  const address = await seller.getByRole("link", { name: "Ver o boleto" }).getAttribute("href");
  expect(address).toBe(`${baseURL}/b/${charge?.sale_id}`);
  await seller.context().close();
  // The money goes back: the address of the sale's boleto says so, and leads to the order.
  await page.request.post(`${server.sandbox}/sandbox/charges/${charge?.id}/refund`);
  await expect.poll(async () => (await orderStatus(page, reference)).status).toBe("canceled");
  await page.goto(address ?? "");
  await expect(page.getByRole("heading", { name: "Este pagamento foi estornado" })).toBeVisible();
  await expect(page.getByText("Este boleto foi pago, e o valor foi devolvido.")).toBeVisible();
  await expect(page.getByRole("heading", { name: "Bolo de chocolate" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Ver o pagamento" })).toHaveAttribute(
    "href",
    `/transacao/${reference}/status`,
  );
  await page.goto("/b/0000000000");
  await expect(page.getByRole("heading", { name: "Boleto não encontrado" })).toBeVisible();
  await page.goto("/pl/000000000000");
  await expect(page.getByRole("heading", { name: "Link não encontrado" })).toBeVisible();
});
