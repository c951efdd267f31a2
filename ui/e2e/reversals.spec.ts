// Sellers cancel and dispute sales: the dialog with the effect, the answer, and the balances afterwards.
import { type Browser, expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { businessDate, businessToday } from "../src/format/dates";
import { money } from "../src/format/money";
import { approveAdjustments } from "./adjustments";
import { now } from "./clock";
import { api, chooseBusiness, getFromPage, openHost, staffUrl } from "./panel";
import {
  approvedSale,
  balanceOf,
  button,
  confirm,
  dialog,
  openSale,
  preview,
  previewBalances,
  type SaleRow,
  timeline,
} from "./reversals";
import { signedInState, test } from "./signed-in";
import { administrator, stateOf } from "./story-users";

type Schemas = components["schemas"];

async function businessOf(page: Page): Promise<string> {
  const { businesses } = await api.me(page);
  return businesses[0]?.id ?? "";
}

async function staffPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    storageState: await signedInState(browser, baseURL, "administrator"),
  });
  const page = await context.newPage();
  await openHost(page, staffUrl(baseURL));
  return page;
}

const netOf = (sale: SaleRow) => sale.net_amount ?? 0;

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("a sale is disputed: its gross amount is blocked", async ({ page }) => {
    const business_id = await businessOf(page);
    const { available } = await api.balance(page, business_id);
    const sale = await approvedSale(
      page,
      business_id,
      { paymentType: "pix" },
      ({ amount }) => amount < available,
    );
    await openSale(page, sale.id);
    await button(page, "dispute").click();
    await expect(dialog(page, "dispute")).toContainText(`${money(sale.amount)}, será descontado`);
    await expect(dialog(page, "dispute")).not.toContainText("fatura");
    const expected = await previewBalances(page);
    expect(expected.after.blocked).toBe(expected.before.blocked + sale.amount);
    await confirm(page, "dispute").click();
    await expect(page.getByRole("heading", { name: "Venda disputada" })).toBeVisible();
    await page.getByRole("button", { name: "Voltar para a Venda" }).click();
    await expect.poll(() => balanceOf(page, business_id)).toEqual(expected.after);
    const status = page.getByRole("region", { name: "Status da venda" });
    await expect(status).toContainText("Contestação em aberto");
    await expect(status).toContainText(`O valor bruto, ${money(sale.amount)}, fica bloqueado`);
    await expect(button(page, "cancel")).toHaveAccessibleDescription("A venda já está em contestação.");
    await page.goto("/financeiro");
    await expect(page.getByRole("table", { name: "Extrato" })).toContainText("Cancelamento ou contestação");
  });

  test("a sale can be canceled by keyboard alone, and the focus returns", async ({ page }) => {
    const business_id = await businessOf(page);
    const { available } = await api.balance(page, business_id);
    const sale = await approvedSale(
      page,
      business_id,
      { paymentType: "debit" },
      (each) => netOf(each) < available,
    );
    await openSale(page, sale.id);
    await button(page, "cancel").focus();
    await page.keyboard.press("Enter");
    await expect(preview(page)).toBeVisible();
    await expect(page.getByLabel("Motivo (opcional)")).toBeFocused();
    await page.keyboard.type("Só pelo teclado");
    // Typed text is not discarded without a question.
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Continuar" })).toBeFocused();
    await page.keyboard.press("Enter");
    await page.getByLabel("Motivo (opcional)").focus();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await expect(confirm(page, "cancel")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Venda cancelada" })).toBeVisible();
    await expect(page.getByRole("button", { name: "Voltar para a Venda" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(button(page, "cancel")).toBeFocused();
  });

  test("a sale canceled in another tab is refused in the gateway's words", async ({ page }) => {
    const business_id = await businessOf(page);
    const { available } = await api.balance(page, business_id);
    const sale = await approvedSale(page, business_id, {}, (each) => netOf(each) < available);
    await openSale(page, sale.id);
    await button(page, "cancel").click();
    await expect(preview(page)).toBeVisible();
    const other = await page.context().newPage();
    await openSale(other, sale.id);
    await button(other, "cancel").click();
    await expect(preview(other)).toBeVisible();
    await confirm(other, "cancel").click();
    await expect(other.getByRole("heading", { name: "Venda cancelada" })).toBeVisible();
    await other.close();
    const answered = page.waitForResponse((response) => response.url().includes("/chargeback?"));
    await confirm(page, "cancel").click();
    const answer = await answered;
    expect(answer.status()).toBe(409);
    const { message } = (await answer.json()) as { message: string };
    await expect(dialog(page, "cancel").getByRole("alert")).toContainText(message);
    // The sale's status has changed, so the page behind is read again.
    await dialog(page, "cancel").getByRole("button", { name: "Voltar" }).click();
    await expect(button(page, "cancel")).toHaveAttribute("aria-disabled", "true");
  });
});

/** Debits a company's available balance, or credits it again. */
async function adjust(staff: Page, direction: string, amount: number) {
  await staff.getByRole("button", { name: "Ajuste manual" }).click();
  const form = staff.getByRole("dialog", { name: "Ajuste manual de saldo" });
  await form.getByText(direction).click();
  await form.getByRole("textbox", { name: "Valor" }).pressSequentially(String(amount));
  await form.getByLabel("Descrição").fill("Acerto do teste");
  await form.getByLabel("Sua senha").fill(administrator.password);
  await form.getByRole("button", { name: "Confirmar" }).click();
  await expect(form).toHaveCount(0);
}

/** Opens the company's balance in the staff's panel. Returns the available balance. */
async function openBalance(staff: Page, baseURL: string | undefined, business_id: string): Promise<number> {
  await staff.goto(`${staffUrl(baseURL)}/empresas/${business_id}/saldo`);
  const { totals } = await getFromPage<Schemas["BalanceSummary"]>(staff, "/admin/balance/history", {
    business_id,
    totals: 1,
  });
  return totals.available;
}

const INSUFFICIENT = "O saldo disponível não é suficiente para cancelar a venda";

test.describe("for an operator", () => {
  test.use({ storageState: stateOf("operator") });

  /** Opens the dialog; this role's preview has no balance. */
  async function ask(page: Page, sale: SaleRow) {
    await openSale(page, sale.id);
    const answer = page.waitForResponse((response) => response.url().includes("/chargeback/preview"));
    await button(page, "cancel").click();
    const { balance } = (await (await answer).json()) as Schemas["ReversalPreview"];
    expect(balance).toBeNull();
  }

  test("a role without access to the balance can cancel sales", async ({ page, browser, baseURL }) => {
    const business_id = await businessOf(page);
    const staff = await staffPage(browser, baseURL);
    const available = await openBalance(staff, baseURL, business_id);
    await staff.context().close();
    const sale = await approvedSale(page, business_id, {}, (each) => netOf(each) < available);
    await ask(page, sale);
    await expect(dialog(page, "cancel")).toContainText(`${money(netOf(sale))}, será descontado`);
    await expect(preview(page)).toHaveCount(0);
    await confirm(page, "cancel").click();
    await expect(page.getByRole("heading", { name: "Venda cancelada" })).toBeVisible();
  });

  test("an insufficient balance is reported without its amount, and read again", async ({
    page,
    browser,
    baseURL,
  }) => {
    const business_id = await businessOf(page);
    const staff = await staffPage(browser, baseURL);
    const available = await openBalance(staff, baseURL, business_id);
    // A sale settled long ago, so that nothing is accelerated.
    const oldest = { paymentType: "pix", order: "asc" };
    const sale = await approvedSale(page, business_id, oldest, (each) => netOf(each) < available);
    const short = page.getByRole("heading", { name: INSUFFICIENT, exact: true });
    await adjust(staff, "Debitar do saldo", available);
    try {
      await ask(page, sale);
      await expect(short).toBeVisible();
      await expect(dialog(page, "cancel")).toContainText("Seu perfil não tem acesso ao saldo.");
      await expect(dialog(page, "cancel")).not.toContainText("R$");
      await page.getByRole("button", { name: "Voltar para a Venda" }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
    } finally {
      await adjust(staff, "Creditar no saldo", available);
      await approveAdjustments(browser, baseURL, business_id);
      await staff.context().close();
    }
    // The second opening reads a new preview.
    let answer: (() => void) | undefined;
    const answering = new Promise<void>((resolve) => {
      answer = resolve;
    });
    await page.route("**/chargeback/preview?*", async (route) => {
      await answering;
      await route.continue();
    });
    await button(page, "cancel").click();
    await expect(page.getByLabel("Motivo (opcional)")).toBeFocused();
    await expect(short).toHaveCount(0);
    await expect(confirm(page, "cancel")).toBeDisabled();
    answer?.();
    await expect(confirm(page, "cancel")).toBeEnabled();
    await expect(dialog(page, "cancel")).toContainText(`${money(netOf(sale))}, será descontado`);
  });
});

/** The first day on which the scheduled amounts reach `needed`, from a balance of zero. */
async function dayThatCovers(page: Page, business_id: string, needed: number): Promise<string | undefined> {
  const schedule = await getFromPage<Schemas["ReceivablesSchedule"]>(page, "/receivables", {
    business_id,
    start: businessToday(now()),
    end: businessToday(now(), 700),
  });
  let reached = 0;
  const days = schedule.data.toSorted((one, other) => one.due_date.localeCompare(other.due_date));
  return days.find(({ expected, settled, accelerated }) => {
    reached += expected - settled - accelerated;
    return reached >= needed;
  })?.due_date;
}

test.describe("for an administrator of a company that sells in installments", () => {
  test.use({ storageState: stateOf("adminAndOperator") });

  test("the cancellation of a card sale has the previewed effect", async ({ page, baseURL }) => {
    const business_id = await chooseBusiness(page, baseURL, "admin");
    const { available } = await api.balance(page, business_id);
    // The newest sale in installments: most of them are still scheduled.
    const sale = await approvedSale(
      page,
      business_id,
      { paymentType: "credit" },
      (each) => netOf(each) < available && each.payment_method.installments > 2,
    );
    await openSale(page, sale.id);
    await button(page, "cancel").click();
    const question = dialog(page, "cancel");
    await expect(question).toContainText("Esta ação é irreversível.");
    await expect(question).toContainText(`${money(netOf(sale))}, será descontado do saldo disponível`);
    await expect(question).toContainText("na mesma fatura da compra, se ainda estiver aberta, ou na próxima");
    await expect(question).toContainText(`Crédito ${sale.payment_method.installments}x`);
    await expect(question).toContainText(money(sale.amount));
    const expected = await previewBalances(page);
    expect(expected.before).toEqual(await balanceOf(page, business_id));
    // The sentence and the table show the same balances.
    const less = expected.before.available - expected.after.available;
    expect(expected.after.receivable).toBeLessThan(expected.before.receivable);
    await expect(question).toContainText(
      less === 0 ? "o saldo disponível não muda" : `o saldo disponível diminui em ${money(less)}`,
    );
    // Accelerated receivables enter just before the whole net amount leaves.
    expect(expected.after.available + expected.after.receivable).toBe(
      expected.before.available + expected.before.receivable - netOf(sale),
    );
    await question.getByLabel("Motivo (opcional)").fill("Cliente desistiu");
    await confirm(page, "cancel").click();
    await expect(page.getByRole("heading", { name: "Venda cancelada" })).toBeVisible();
    await page.getByRole("button", { name: "Voltar para a Venda" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.poll(() => balanceOf(page, business_id)).toEqual(expected.after);

    const { name } = await api.me(page);
    await expect(timeline(page).filter({ hasText: "Cancelado" })).toContainText([
      new RegExp(`Por: ${name}.*Motivo: Cliente desistiu`),
    ]);
    await expect(page.getByRole("table", { name: "Recebimentos" })).toContainText(
      "Antecipado por cancelamento",
    );
    // The acquirer is asked later; the page reads the sale until it is.
    await expect(page.getByRole("region", { name: "Status da venda" })).toContainText(
      new RegExp(`[Ee]storno.*Solicitado por: ${name}`),
    );
    await expect(button(page, "cancel")).toHaveAttribute("aria-disabled", "true");
    await expect(button(page, "dispute")).toHaveAccessibleDescription(
      "Só uma venda aprovada pode ser cancelada ou contestada.",
    );
  });

  test("a part of a sale goes back, and then the rest", async ({ page, baseURL }) => {
    const business_id = await chooseBusiness(page, baseURL, "admin");
    const { available } = await api.balance(page, business_id);
    const sale = await approvedSale(
      page,
      business_id,
      { paymentType: "credit" },
      (each) => netOf(each) < available && each.amount > 50_00 && each.payment_method.installments > 1,
    );
    await openSale(page, sale.id);
    await button(page, "cancel").click();
    const question = dialog(page, "cancel");
    const amount = question.getByRole("textbox", { name: "Valor" });
    await expect(amount).toHaveAccessibleDescription(
      `Em branco, o comprador recebe tudo o que resta da venda: ${money(sale.amount)}.`,
    );
    await amount.fill(money(sale.amount + 1));
    await expect(question).toContainText(`Restam ${money(sale.amount)} desta venda.`);
    await expect(confirm(page, "cancel")).toBeDisabled();
    await amount.fill(money(10_01));
    const sources = question.getByLabel("De onde sai o valor");
    await expect(sources).toContainText(`O comprador recebe${money(10_01)}`);
    await expect(question).toContainText("a venda continua aprovada");
    const expected = await previewBalances(page);
    expect(expected.before).toEqual(await balanceOf(page, business_id));
    await question.getByLabel("Motivo (opcional)").fill("Um item devolvido");
    await question.getByRole("button", { name: "Estornar parte" }).click();
    await expect(page.getByRole("heading", { name: "Parte da venda estornada" })).toBeVisible();
    await page.getByRole("button", { name: "Voltar para a Venda" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.poll(() => balanceOf(page, business_id)).toEqual(expected.after);
    await expect(timeline(page).filter({ hasText: "Estorno de parte da venda" })).toContainText([
      "Motivo: Um item devolvido",
    ]);
    // The acquirer is asked later; the page reads the sale until it is.
    await expect(page.getByRole("region", { name: "Status da venda" })).toContainText(/[Ee]storno/);

    await button(page, "cancel").click();
    await expect(question).toContainText(`Resta da venda${money(sale.amount - 10_01)}`);
    await confirm(page, "cancel").click();
    await expect(page.getByRole("heading", { name: "Venda cancelada" })).toBeVisible();
  });

  test("an insufficient balance is reported in the specified words, with the date on which it suffices", async ({
    page,
    browser,
    baseURL,
  }) => {
    const business_id = await chooseBusiness(page, baseURL, "admin");
    const { available } = await api.balance(page, business_id);
    const staff = await staffPage(browser, baseURL);
    await openBalance(staff, baseURL, business_id);
    await adjust(staff, "Debitar do saldo", available);
    try {
      const sale = await approvedSale(page, business_id, {}, (each) => netOf(each) > 0);
      await openHost(page, baseURL ?? "");
      const day = await dayThatCovers(page, business_id, netOf(sale));
      await openSale(page, sale.id);
      await button(page, "cancel").click();
      const screen = dialog(page, "cancel").getByRole("alert");
      await expect(screen.getByRole("heading", { name: INSUFFICIENT, exact: true })).toBeVisible();
      for (const line of [
        "É preciso ter o valor da venda que você quer cancelar no saldo disponível.",
        "Você pode aguardar o aumento dos seus recebimentos ou fazer novas vendas.",
      ]) {
        await expect(screen.getByText(line, { exact: true })).toBeVisible();
      }
      await expect(screen).toContainText(
        day ? `será suficiente em ${businessDate(day)}` : "ainda vai faltar saldo",
      );
      await screen.getByRole("button", { name: "Voltar para a Venda", exact: true }).click();
      await expect(page.getByRole("dialog")).toHaveCount(0);
      await expect(button(page, "cancel")).toBeFocused();
      // No event was recorded.
      await page.reload();
      await expect(button(page, "cancel")).not.toHaveAttribute("aria-disabled");
      expect((await api.balance(page, business_id)).available).toBe(0);
    } finally {
      await adjust(staff, "Creditar no saldo", available);
      await approveAdjustments(browser, baseURL, business_id);
      await staff.context().close();
    }
  });
});
