// Measures how long the buyer's page takes to show a payment, against a running demo server. The command has the
// addresses that the server prints: `node ui/e2e/measure-paid.mjs http://localhost:8080 http://127.0.0.1:8081 20`.
// The time of a PIX begins when it is paid at the acquirer, so the acquirer's notice is part of it. The time of a card
// begins at the press of the button.
import { existsSync, readFileSync } from "node:fs";
import { chromium } from "@playwright/test";

const [url, sandbox, runs = "20"] = process.argv.slice(2);
if (!url || !sandbox) throw new Error("usage: measure-paid.mjs URL SANDBOX [RUNS]");
const executablePath = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"].find(existsSync);
const team = JSON.parse(readFileSync(new URL("../../fixtures/story/team.json", import.meta.url), "utf8"));
const { email, password } = team.find(({ access }) => access.some(({ role }) => role === "owner"));

const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
const amount = () => (100 + Math.floor(Math.random() * 900)) * 100;

async function createLink() {
  const page = await (await browser.newContext({ baseURL: url })).newPage();
  await page.goto("/login");
  const { code } = await page.evaluate(
    async ({ email, password, amount }) => {
      const send = async (path, body) => {
        const { csrfToken } = await (await fetch("/api/auth/get-csrf-token")).json();
        const headers = { "Content-Type": "application/json", "X-CSRF-Token": csrfToken };
        const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
        return await answer.json();
      };
      await send("/api/auth/sign-in", { email, password });
      const fields = { payment_types: ["credit", "pix"], installments_max: 3 };
      return await send("/api/payment-link", { description: "Medição", amount, ...fields });
    },
    { email, password, amount: amount() },
  );
  await page.context().close();
  return code;
}

/**
 * The page of a link with everything typed but the card. The page sets `paidAt` when the paid screen appears, by the
 * machine's clock.
 */
async function openLink(code, type) {
  const page = await (await browser.newContext({ baseURL: url, locale: "pt-BR" })).newPage();
  await page.goto(`/pl/${code}`);
  await page.getByRole("radio", { name: type }).check();
  await page.getByLabel("Nome completo").fill("Marina Souza Costa");
  await page.getByLabel("CPF ou CNPJ").pressSequentially("52998224725");
  await page.getByLabel("Celular com DDD").pressSequentially("11987654321");
  await page.getByLabel("E-mail para o comprovante").fill("marina@exemplo.com.br");
  await page.evaluate(() => {
    const look = () => {
      if (document.body.textContent?.includes("Pagamento confirmado")) globalThis.paidAt ??= Date.now();
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  return page;
}

/** Waits for the paid screen. Returns the milliseconds since `begun`. */
async function waitUntilPaid(page, begun) {
  await page.getByRole("heading", { name: "Pagamento confirmado" }).waitFor();
  const took = (await page.evaluate(() => globalThis.paidAt)) - begun;
  await page.context().close();
  return took;
}

async function timePix(code) {
  const page = await openLink(code, /^PIX/);
  await page.getByRole("button", { name: /^Gerar PIX/ }).click();
  await page.getByRole("img", { name: "QR Code do PIX" }).waitFor();
  const pix = await page.getByLabel("Código PIX copia e cola").inputValue();
  const charges = await (await fetch(`${sandbox}/sandbox/charges`)).json();
  const charge = charges.find(({ means }) => means.code === pix);
  const begun = Date.now();
  await fetch(`${sandbox}/sandbox/charges/${charge.id}/pay`, { method: "POST" });
  return await waitUntilPaid(page, begun);
}

async function timeCard(code) {
  const page = await openLink(code, /^Cartão/);
  await page.getByLabel("Número do cartão").fill("4242 4242 4242 4242");
  await page.getByLabel("Validade").fill("08/29");
  await page.getByLabel("Código (CVV)").fill("737");
  await page.getByLabel("Nome impresso no cartão").fill("MARINA S COSTA");
  const begun = Date.now();
  await page.getByRole("button", { name: /^Pagar/ }).click();
  return await waitUntilPaid(page, begun);
}

const code = await createLink();
for (const [name, time] of Object.entries({ PIX: timePix, card: timeCard })) {
  const times = [];
  for (let run = 0; run < Number(runs); run++) times.push(await time(code));
  times.sort((one, other) => one - other);
  const [least, median, most] = [0, Math.floor(times.length / 2), times.length - 1].map((at) => times[at]);
  process.stdout.write(`${name}: ${times.length} payments, ${least} to ${most} ms, median ${median} ms\n`);
}
await browser.close();
