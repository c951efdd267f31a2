// Withdrawals from both sides: a seller requests in one browser, staff decide in another.
import { type Browser, expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import * as sheets from "../src/api/sheets.json";
import { isReturned } from "../src/features/withdrawals/actions";
import { transferText } from "../src/features/withdrawals/destination";
import { APPROVED, PROCESSING, WITHDRAWAL } from "../src/features/withdrawals/transferCodes";
import { taxId } from "../src/format/documents";
import { fileName } from "../src/format/fileName";
import { money } from "../src/format/money";
import { balanceStrings } from "../src/strings/pt-BR.balance";
import { salesStrings } from "../src/strings/pt-BR.sales";
import { scheduleStrings } from "../src/strings/pt-BR.schedule";
import { statusStrings } from "../src/strings/pt-BR.status";
import { withdrawalsStrings } from "../src/strings/pt-BR.withdrawals";
import { now } from "./clock";
import { api, getFromPage, plain, staffUrl } from "./panel";
import { signedInState, test } from "./signed-in";
import { centsOf, exportSheet } from "./spreadsheet";
import { administrator, owner, stateOf } from "./story-users";
import {
  amountField,
  chooseAction,
  fillForm,
  form,
  openForm,
  passwordField,
  requestWithdrawal,
  rowOf,
  send,
  uniqueAmount,
  withdraw,
  withdrawToNewAccount,
} from "./withdrawals";

type Transfer = components["schemas"]["Transfer"];

const words = withdrawalsStrings.returned;

test.use({ storageState: stateOf("owner") });

async function quoted(page: Page) {
  const { businesses } = await api.me(page);
  const business_id = businesses[0]?.id ?? "";
  return { business_id, ...(await api.quote(page, business_id)) };
}

async function staffPage(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext({
    storageState: await signedInState(browser, baseURL, "administrator"),
  });
  const page = await context.newPage();
  // Of every stage, so that a row stays in the list when its status changes.
  await page.goto(`${staffUrl(baseURL)}/saques?stage=all`);
  return page;
}

const figure = (page: Page, label: string) =>
  form(page)
    .getByLabel("Valores do saque")
    .locator("div")
    .filter({ has: page.getByText(label, { exact: true }) });

test.describe("the form", () => {
  test("the form shows four figures, and a net amount of zero until the value exceeds the fee", async ({
    page,
  }) => {
    const { available, withdrawal_fee } = await quoted(page);
    await openForm(page);
    await expect(figure(page, "Saldo disponível")).toContainText(money(available));
    await expect(figure(page, "Tarifa de saque")).toContainText(money(withdrawal_fee));
    await expect(figure(page, "Valor do saque")).toContainText(money(0));
    await amountField(page).pressSequentially(String(withdrawal_fee));
    await expect(figure(page, "Valor do saque")).toContainText(money(withdrawal_fee));
    await expect(figure(page, "Você recebe na conta")).toContainText(money(0));
    await expect(form(page).getByText(withdrawalsStrings.requestTransfer.netIsZero)).toBeVisible();
    await amountField(page).fill("");
    await amountField(page).pressSequentially(String(withdrawal_fee + 1));
    await expect(figure(page, "Você recebe na conta")).toContainText(money(1));
    await expect(form(page).getByText(withdrawalsStrings.requestTransfer.netIsZero)).toHaveCount(0);
  });

  test("the form reports missing, low, high and invalid values", async ({ page }) => {
    const { available, minimum } = await quoted(page);
    await openForm(page);
    await send(page).click();
    await expect(form(page).getByText("requerido", { exact: true })).toBeVisible();
    await expect(form(page).getByText("Requerido", { exact: true })).toBeVisible();
    await expect(form(page).getByText("A senha é requerida.")).toBeVisible();

    await amountField(page).pressSequentially("dez");
    await expect(form(page).getByText("O valor deve ser numérico")).toBeVisible();
    await amountField(page).fill("R$ 10");
    await expect(form(page).getByText("O valor deve ser numérico")).toHaveCount(0);
    await expect(amountField(page)).toHaveValue(money(10_00));

    // A pasted 1000 is one thousand reais. Typed digits are cents.
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.evaluate(() => navigator.clipboard.writeText("1000"));
    await amountField(page).press("ControlOrMeta+A");
    await amountField(page).press("ControlOrMeta+V");
    await expect(amountField(page)).toHaveValue(money(1000_00));
    // A refused key no longer counts when the form is sent; the amount's own error appears.
    await fillForm(page, minimum - 1);
    await amountField(page).press("a");
    await expect(form(page).getByText("O valor deve ser numérico")).toBeVisible();
    await amountField(page).press("Enter");
    await expect(form(page).getByText("O valor deve ser numérico")).toHaveCount(0);
    await expect(form(page)).toContainText(`Valor mínimo é de ${money(minimum)}`);
    await fillForm(page, available + 1);
    await send(page).click();
    await expect(form(page).getByText("Valor não pode ser maior que o saldo")).toBeVisible();
    await fillForm(page, uniqueAmount(minimum), "não é esta");
    await amountField(page).press("a");
    await amountField(page).press("Enter");
    await expect(form(page).getByText("Senha incorreta.")).toBeVisible();
    await expect(passwordField(page)).toBeFocused();
  });

  test("the form offers the bank account, and the document as the PIX key", async ({ page }) => {
    const { destinations } = await quoted(page);
    const { businesses } = await api.me(page);
    await openForm(page);
    expect(destinations.map(({ destination }) => destination)).toEqual([0, 1]);
    await expect(form(page)).toContainText(taxId(businesses[0]?.document ?? ""));
  });

  test("typed values are discarded only after a question", async ({ page }) => {
    await openForm(page);
    await amountField(page).pressSequentially("1234");
    await page.keyboard.press("Escape");
    const question = page.getByRole("alertdialog");
    await expect(question).toBeVisible();
    await question.getByRole("button", { name: "Continuar" }).click();
    await expect(amountField(page)).toHaveValue(money(1234));
    await form(page).getByRole("button", { name: "Cancelar" }).click();
    await question.getByRole("button", { name: "Descartar" }).click();
    await expect(form(page)).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Solicitar saque" })).toBeFocused();
  });
});

test("staff record that the bank returned a withdrawal, and the seller sees its reason", async ({
  page,
  browser,
  baseURL,
}) => {
  const { minimum, business_id } = await quoted(page);
  const cents = uniqueAmount(minimum);
  // To an account of this test, because the next withdrawal to it needs a confirmation.
  await withdrawToNewAccount(page, baseURL, cents);
  const staff = await staffPage(browser, baseURL);
  for (const [action, dialog, state] of [
    ["Pagar manualmente", "Pagar manualmente", "Em processamento"],
    ["Aprovar", "Aprovar saque", "Concluído"],
  ] as const) {
    await chooseAction(staff, cents, action);
    const question = staff.getByRole("dialog", { name: dialog });
    await question.getByRole("button", { name: action }).click();
    await expect(rowOf(staff, cents)).toContainText(state);
  }
  await chooseAction(staff, cents, words.action);
  const modal = staff.getByRole("dialog", { name: words.title });
  await modal.getByLabel(words.reason).fill("TED devolvida: conta encerrada");
  await modal.getByLabel("Sua senha").fill(administrator.password);
  await modal.getByRole("button", { name: words.submit }).click();
  await expect(staff.getByRole("status").filter({ hasText: "Devolução registrada" })).toBeVisible();
  await expect(rowOf(staff, cents)).toContainText(words.byBank);
  await staff.context().close();

  await page.goto("/financeiro?tab=transfers");
  await expect(rowOf(page, cents)).toContainText(words.byBank);
  await expect(rowOf(page, cents)).toContainText("TED devolvida: conta encerrada");

  const next = uniqueAmount(minimum);
  await openForm(page);
  await fillForm(page, next);
  await form(page).getByRole("radio", { name: "Conta bancária" }).check();
  await send(page).click();
  await expect(form(page)).toContainText("O banco devolveu um saque anterior para este destino");
  await form(page).getByRole("button", { name: withdrawalsStrings.requestTransfer.confirm }).click();
  await expect(page.getByRole("status").filter({ hasText: "solicitado" })).toContainText(money(next));
  const { data } = await api.transfers(page, { business_id });
  expect(data.find(({ amount }) => amount === cents)?.fee_given_back).toBe(0);
});

test("staff approve a withdrawal, and the seller sees the result", async ({ page, browser, baseURL }) => {
  const { minimum, business_id } = await quoted(page);
  const cents = uniqueAmount(minimum);
  const before = await api.balance(page, business_id);
  await withdraw(page, cents);
  await expect
    .poll(async () => (await api.balance(page, business_id)).in_transfer)
    .toBe(before.in_transfer + cents);
  await page.getByRole("tab", { name: "Saques" }).click();
  await expect(rowOf(page, cents)).toContainText("Pendente");

  const staff = await staffPage(browser, baseURL);
  await chooseAction(staff, cents, "Aprovar");
  const question = staff.getByRole("dialog", { name: "Aprovar saque" });
  await expect(question).toContainText(money(cents));
  await expect(question).toContainText(withdrawalsStrings.queue.effects.approve);
  const answered = staff.waitForResponse((response) => response.url().endsWith("/approve"));
  await question.getByRole("button", { name: "Aprovar" }).click();
  const { status } = (await (await answered).json()) as Transfer;
  expect([APPROVED, PROCESSING]).toContain(status);
  await expect(staff.getByRole("status").filter({ hasText: "Aprovação registrada." })).toBeVisible();
  await staff.context().close();

  // A withdrawal that the bank pays is in processing until the bank reports it. The whole amount leaves the balance.
  await expect
    .poll(async () => {
      const { data } = await api.transfers(page, { business_id });
      return data.find(({ amount }) => amount === cents)?.status;
    })
    .toBe(APPROVED);
  await page.reload();
  await expect(rowOf(page, cents)).toContainText("Concluído");
  await expect
    .poll(async () => {
      const { available, in_transfer } = await api.balance(page, business_id);
      return [available, in_transfer];
    })
    .toEqual([before.available - cents, before.in_transfer]);
});

test("staff refuse a withdrawal with a reason; the seller gets the amount back and sees the reason", async ({
  page,
  browser,
  baseURL,
}) => {
  const { minimum } = await quoted(page);
  const cents = uniqueAmount(minimum);
  await requestWithdrawal(page, baseURL, cents);

  const staff = await staffPage(browser, baseURL);
  await chooseAction(staff, cents, "Recusar");
  const question = staff.getByRole("dialog", { name: "Recusar saque" });
  await question.getByRole("button", { name: "Recusar" }).click();
  await expect(question.getByText("Informe o motivo.")).toBeVisible();
  await question.getByLabel("Motivo").fill("Conta de outra titularidade");
  await question.getByRole("button", { name: "Recusar" }).click();
  await expect(staff.getByRole("status").filter({ hasText: "Saque recusado." })).toBeVisible();
  await staff.context().close();

  await page.goto("/financeiro?tab=transfers");
  await expect(rowOf(page, cents)).toContainText("Recusado");
  await expect(rowOf(page, cents)).toContainText("Conta de outra titularidade");
  await page.goto("/financeiro");
  await expect(page.getByRole("table", { name: "Extrato" })).toContainText("Devolução de saque");
});

test("a withdrawal paid by hand is processed, fails, and returns to pending", async ({
  page,
  browser,
  baseURL,
}) => {
  const { minimum } = await quoted(page);
  const cents = uniqueAmount(minimum);
  await requestWithdrawal(page, baseURL, cents);
  const staff = await staffPage(browser, baseURL);
  for (const [action, dialog, state] of [
    ["Pagar manualmente", "Pagar manualmente", "Em processamento"],
    ["Marcar como falha", "Marcar saque como falha", "Falha"],
    ["Voltar para pendente", "Voltar para pendente", "Pendente"],
  ] as const) {
    await chooseAction(staff, cents, action);
    const question = staff.getByRole("dialog", { name: dialog });
    if (state === "Falha") await question.getByLabel("Motivo").fill("Banco fora do ar");
    await question.getByRole("button", { name: action }).click();
    await expect(question).toHaveCount(0);
    await expect(rowOf(staff, cents)).toContainText(state);
  }
  await chooseAction(staff, cents, "Recusar");
  const question = staff.getByRole("dialog", { name: "Recusar saque" });
  await question.getByLabel("Motivo").fill("Fim do teste");
  await question.getByRole("button", { name: "Recusar" }).click();
  await expect(question).toHaveCount(0);
  await staff.context().close();
});

test("a payout that waits for its bank is tried now from the withdrawal's page, after a question", async ({
  page,
  browser,
  baseURL,
}) => {
  const { retry } = withdrawalsStrings;
  const { minimum, business_id } = await quoted(page);
  const cents = uniqueAmount(minimum);
  await requestWithdrawal(page, baseURL, cents);
  const { data } = await api.transfers(page, { business_id });
  const id = data.find(({ amount }) => amount === cents)?.id ?? "";
  const staff = await staffPage(browser, baseURL);
  // The sandbox's bank lets no payout wait for long enough.
  const transfer = await getFromPage<Transfer>(staff, `/admin/balance/transfers/${id}`);
  let payout_id: string | null = null;
  await staff.route(`**/api/admin/balance/transfers/${id}`, (route) =>
    route.fulfill({ json: { ...transfer, status: PROCESSING, payout_id } }),
  );
  const sent: string[] = [];
  await staff.route("**/api/admin/operations/**", async (route) => {
    sent.push(new URL(route.request().url()).pathname);
    await route.fulfill(
      sent.length === 1
        ? { status: 409, json: { status: 409, message: "O pagamento está em andamento agora." } }
        : { json: { due: 1 } },
    );
  });
  const open = async () => {
    await staff.goto(`${staffUrl(baseURL)}/saques/${id}`);
    await expect(staff.getByRole("button", { name: withdrawalsStrings.queue.labels.fail })).toBeVisible();
  };
  const button = staff.getByRole("button", { name: retry.action, exact: true });
  await open();
  // A payment by hand has no payout.
  await expect(button).toHaveCount(0);
  payout_id = "pay_0193f0a0-5b1e-7c3a-9d7e-2f6f4f5a1b0a";
  await open();
  await button.click();
  const question = staff.getByRole("dialog", { name: retry.title });
  await expect(question).toContainText(retry.safety);
  expect(sent).toEqual([]);
  const submit = question.getByRole("button", { name: retry.action });
  await submit.click();
  await expect(question.getByRole("alert")).toContainText("O pagamento está em andamento agora.");
  await submit.click();
  await expect(question).toHaveCount(0);
  await expect(staff.getByRole("status").filter({ hasText: retry.done })).toBeVisible();
  const call = `/api/admin/operations/payouts/${payout_id}/retry`;
  expect(sent).toEqual([call, call]);
  await staff.context().close();
});

test("several withdrawals are refused at once, and those to a new account are marked", async ({
  page,
  browser,
  baseURL,
}) => {
  const { minimum } = await quoted(page);
  const amounts = [uniqueAmount(minimum), uniqueAmount(minimum)];
  const [toPix = 0, toAccount = 0] = amounts;
  await requestWithdrawal(page, baseURL, toPix);
  await withdrawToNewAccount(page, baseURL, toAccount);
  const staff = await staffPage(browser, baseURL);
  const mark = staff.getByRole("img", { name: withdrawalsStrings.queue.destinationChanged });
  await expect(rowOf(staff, toAccount).and(staff.getByRole("row").filter({ has: mark }))).toBeVisible();
  await expect(rowOf(staff, toPix).and(staff.getByRole("row").filter({ has: mark }))).toHaveCount(0);
  await staff.getByRole("combobox", { name: "Conta de destino" }).click();
  await staff.getByRole("option", { name: "Alterada", exact: true }).click();
  await expect(rowOf(staff, toPix)).toHaveCount(0);
  await expect(rowOf(staff, toAccount)).toBeVisible();
  await expect(staff).toHaveURL(/destination=changed/);
  await staff.goBack();
  for (const cents of amounts) await rowOf(staff, cents).getByRole("checkbox").check();
  await expect(staff.getByText(/^2 saques selecionados/)).toBeVisible();
  await staff.getByRole("button", { name: "Recusar" }).click();
  const question = staff.getByRole("dialog", { name: "Recusar saque" });
  await expect(question.getByRole("listitem")).toHaveCount(2);
  await expect(question.getByText("Conta de destino alterada em")).toHaveCount(1);
  await expect(question).toContainText(money(amounts.reduce((sum, cents) => sum + cents, 0)));
  await question.getByLabel("Motivo").fill("Pedidos em dobro");
  await question.getByRole("button", { name: "Recusar" }).click();
  await expect(staff.getByRole("status").filter({ hasText: "2 saques recusados." })).toBeVisible();
  for (const cents of amounts) await expect(rowOf(staff, cents)).toContainText("Recusado");
  await staff.context().close();
});

test("a duplicate within fifteen minutes needs a confirmation", async ({ page, baseURL }) => {
  const { minimum } = await quoted(page);
  const cents = uniqueAmount(minimum);
  await requestWithdrawal(page, baseURL, cents);
  await openForm(page);
  await fillForm(page, cents);
  await send(page).click();
  const warning = form(page).getByRole("alert");
  const confirm = form(page).getByRole("button", { name: "Solicitar mesmo assim" });
  await expect(warning).toBeVisible();
  // Another amount is another request. The first amount, typed again, needs its own confirmation.
  await amountField(page).press("Backspace");
  await expect(confirm).toHaveCount(0);
  await expect(warning).toHaveCount(0);
  await fillForm(page, cents);
  await send(page).click();
  await expect(warning).toBeVisible();
  const answered = page.waitForResponse(
    (response) => response.request().method() === "POST" && response.url().endsWith("/balance/transfers"),
  );
  await confirm.click();
  expect((await answered).status()).toBe(201);
  await expect(form(page)).toHaveCount(0);
  await page.getByRole("tab", { name: "Saques" }).click();
  await expect(rowOf(page, cents)).toHaveCount(2);
});

test("a withdrawal is requested and decided by keyboard alone", async ({ page, browser, baseURL }) => {
  const { minimum } = await quoted(page);
  const cents = uniqueAmount(minimum);
  await page.goto("/financeiro");
  await page.getByRole("button", { name: "Solicitar saque" }).focus();
  await page.keyboard.press("Enter");
  await expect(send(page)).toBeEnabled();
  await expect(amountField(page)).toBeFocused();
  await page.keyboard.type(String(cents));
  // Over the button that fills in the whole balance.
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  await expect(passwordField(page)).toBeFocused();
  await page.keyboard.type(owner.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "solicitado" })).toContainText(money(cents));

  const staff = await staffPage(browser, baseURL);
  const tick = rowOf(staff, cents).getByRole("checkbox");
  await tick.focus();
  await staff.keyboard.press("Space");
  await expect(staff.getByText(/^1 saque selecionado/)).toBeVisible();
  await rowOf(staff, cents)
    .getByRole("button", { name: /^Ações: / })
    .focus();
  await staff.keyboard.press("Enter");
  await expect(staff.getByRole("menuitem", { name: "Aprovar" })).toBeFocused();
  await staff.keyboard.press("ArrowDown");
  await staff.keyboard.press("ArrowDown");
  await expect(staff.getByRole("menuitem", { name: "Recusar" })).toBeFocused();
  await staff.keyboard.press("Enter");
  const question = staff.getByRole("dialog", { name: "Recusar saque" });
  await expect(question.getByLabel("Motivo")).toBeFocused();
  await staff.keyboard.type("Só pelo teclado");
  // Cancelar comes before Recusar.
  await staff.keyboard.press("Tab");
  await staff.keyboard.press("Tab");
  await expect(question.getByRole("button", { name: "Recusar" })).toBeFocused();
  await staff.keyboard.press("Enter");
  await expect(question).toHaveCount(0);
  await expect(rowOf(staff, cents)).toContainText("Recusado");
  await expect(rowOf(staff, cents).getByRole("button", { name: /^Ações: / })).toBeFocused();
  await staff.context().close();
});

test("the spreadsheets of the statement and the withdrawals equal the API", async ({ page, baseURL }) => {
  const { business_id, minimum } = await quoted(page);
  const { businesses } = await api.me(page);
  const cents = uniqueAmount(minimum);
  await requestWithdrawal(page, baseURL, cents);
  await page.goto("/financeiro");
  const statement = await exportSheet(page);
  const sheetName = (list: string) => `${fileName(list, businesses[0]?.name, now())}.xlsx`;
  expect([statement.file, statement.sheets]).toEqual([sheetName("extrato"), ["Sheet1"]]);
  expect(statement.titles).toEqual(Object.values(sheets.statement));
  const lines = await api.statement(page, { business_id, perPage: 100 });
  expect(statement.rows).toHaveLength(lines.meta.total);
  expect(
    statement.rows
      .slice(0, 100)
      .map((row) => [row.Movimentação, centsOf(row.Valor), centsOf(row["Saldo disponível"])]),
  ).toEqual(
    lines.data.map(({ kind, movement, amount, balance }) => [
      balanceStrings.movement[movement as keyof typeof balanceStrings.movement] ??
        balanceStrings.movementKind[kind as keyof typeof balanceStrings.movementKind],
      amount,
      balance,
    ]),
  );

  await page.getByRole("tab", { name: "Saques" }).click();
  await expect(rowOf(page, cents)).toBeVisible();
  const sheet = await exportSheet(page);
  expect([sheet.file, sheet.titles]).toEqual([sheetName("saques"), Object.values(sheets.transfers)]);
  const expected = await api.transfers(page, { business_id, perPage: 100 });
  expect(sheet.rows).toHaveLength(expected.meta.total);
  expect(
    sheet.rows.slice(0, 100).map((row) => [row.Status, row.Destino, row.Valor, row["Valor líquido"]]),
  ).toEqual(
    expected.data.map((transfer) => [
      statusStrings.transferStatus[transfer.status] +
        (isReturned(transfer) ? ` (${withdrawalsStrings.returned.byBank})` : ""),
      transferText(transfer),
      transfer.amount / 100,
      transfer.net_amount / 100,
    ]),
  );
});

test("the balance equals the API, and the chart's table has thirty days", async ({ page }) => {
  const { businesses } = await api.me(page);
  const expected = await api.balance(page, businesses[0]?.id ?? "");
  await page.goto("/financeiro");
  const figures = page.getByLabel("Saldo", { exact: true });
  for (const cents of [expected.available, expected.receivable, expected.in_transfer, expected.blocked]) {
    await expect(figures).toContainText(money(cents));
  }
  await page.getByText("Tabela", { exact: true }).click();
  const days = page.getByRole("table", { name: "Evolução do saldo" }).getByRole("row");
  await expect(days).toHaveCount(31);
  await expect(days.nth(1)).toContainText(money(expected.available));
});

test("a seller opens a withdrawal: days, sales, and the way back from a sale", async ({ page }) => {
  const { business_id } = await quoted(page);
  // The first withdrawal of the story consists of sales; later ones may take credits of other tests.
  const { data } = await api.transfers(page, { business_id, order: "asc", perPage: 100 });
  const first = data.find(({ kind }) => kind === WITHDRAWAL);
  const cents = first?.amount ?? 0;
  await page.goto("/financeiro?tab=transfers&order=asc");
  await rowOf(page, cents)
    .first()
    .getByRole("link", { name: plain(withdrawalsStrings.page.open(money(cents))) })
    .click();
  await expect(page).toHaveURL(new RegExp(`/financeiro/saques/${first?.id}$`));
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(money(cents));
  const amounts = page.getByLabel(withdrawalsStrings.page.amounts, { exact: true }).last();
  await expect(amounts).toContainText(money(first?.net_amount ?? 0));

  const table = page.getByRole("table", { name: withdrawalsStrings.composition.table });
  const days = table.getByRole("row").filter({ has: page.getByRole("rowheader") });
  await expect(days.last().getByRole("cell").last()).toHaveText(money(cents));
  const used = await days.evaluateAll((rows) =>
    rows.map((row) => Number(row.lastElementChild?.textContent?.replace(/\D/g, ""))),
  );
  expect(used.slice(0, -1).reduce((sum, amount) => sum + amount, 0)).toBe(cents);
  await days.first().getByRole("button").click();
  const sale = table.getByRole("link").first();
  await sale.click();
  await expect(page).toHaveURL(/\/vendas\//);
  // The sale leads back: a withdrawal took a part of it.
  const uses = page.getByRole("list", { name: salesStrings.sale.uses.title });
  await uses.getByRole("link", { name: "Saque" }).first().click();
  await expect(page).toHaveURL(/\/financeiro\/saques\//);
  await page.goBack();
  await page.goto("/financeiro");
  await page
    .getByRole("table", { name: "Extrato" })
    .getByRole("link", { name: "Saque", exact: true })
    .first()
    .click();
  await expect(page).toHaveURL(/\/financeiro\/saques\//);
});

test("staff approve on a withdrawal's page, and both panels show why it was paid once", async ({
  page,
  browser,
  baseURL,
}) => {
  const { withdrawal_fee } = await quoted(page);
  // The sandbox's bank breaks off the call for an amount of nine cents, and pays.
  const cents = withdrawal_fee + 100 * (20 + Math.floor(Math.random() * 900)) + 9;
  await requestWithdrawal(page, baseURL, cents);
  const staff = await staffPage(browser, baseURL);
  await rowOf(staff, cents)
    .first()
    .getByRole("link", { name: plain(withdrawalsStrings.page.open(money(cents))) })
    .click();
  const { execution } = withdrawalsStrings.page;
  const steps = (of: Page) => of.getByRole("list", { name: execution.title }).getByRole("listitem");
  await expect(steps(staff)).toHaveCount(1);
  const days = staff.getByRole("table", { name: withdrawalsStrings.composition.table }).getByRole("row");
  await expect(days.last().getByRole("cell").last()).toHaveText(money(cents));
  await staff.getByRole("button", { name: withdrawalsStrings.queue.labels.approve }).click();
  const question = staff.getByRole("dialog", { name: withdrawalsStrings.queue.titles.approve });
  await question.getByRole("button", { name: withdrawalsStrings.queue.labels.approve }).click();
  await expect(staff.getByRole("status").filter({ hasText: "Aprovação registrada." })).toBeVisible();
  const order = { hasText: "Pedido enviado ao banco" };
  await expect(steps(staff).filter(order)).toHaveCount(1);
  await expect(steps(staff).filter(order)).toContainText("HTTP 500");
  await expect(steps(staff).last()).toContainText("Pago", { timeout: 30_000 });
  await expect(steps(staff).filter({ hasText: execution.keyMade })).toContainText("pay_");
  await expect(staff.getByRole("button", { name: withdrawalsStrings.page.receipt.print })).toBeEnabled();
  const address = new URL(staff.url()).pathname;
  await staff.context().close();

  await page.goto(`/financeiro${address}`);
  await expect(steps(page).filter(order)).toContainText("sem resposta");
  await expect(steps(page).filter(order)).not.toContainText("HTTP");
  await expect(steps(page).last()).toContainText("Pago");
  await expect(page.getByRole("button", { name: withdrawalsStrings.queue.labels.approve })).toHaveCount(0);
});

test("a seller withdraws everything and cancels it, and both panels show who did", async ({
  page,
  browser,
  baseURL,
}) => {
  const { available } = await quoted(page);
  await openForm(page);
  await form(page).getByRole("button", { name: withdrawalsStrings.requestTransfer.all }).click();
  await expect(amountField(page)).toHaveValue(money(available));
  await form(page).getByRole("radio", { name: "Chave PIX" }).check();
  await passwordField(page).fill(owner.password);
  await send(page).click();
  await expect(page.getByRole("status").filter({ hasText: "solicitado" })).toBeVisible();
  await page.getByRole("tab", { name: "Saques" }).click();
  await rowOf(page, available)
    .first()
    .getByRole("link", { name: plain(withdrawalsStrings.page.open(money(available))) })
    .click();
  const { path } = withdrawalsStrings.page;
  const states = (of: Page) => of.getByRole("list", { name: path.title }).getByRole("listitem");
  await expect(states(page)).toHaveText([
    /^Solicitado\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d/,
    /^Aprovadoa seguir/,
    /^Pago/,
  ]);
  await expect(page.getByText(/^Previsto até /)).toBeVisible();
  await page.getByRole("button", { name: withdrawalsStrings.cancel.action }).click();
  const question = page.getByRole("dialog", { name: withdrawalsStrings.cancel.title });
  await question.getByRole("button", { name: withdrawalsStrings.cancel.action }).click();
  await expect(page.getByRole("status").filter({ hasText: "Saque cancelado" })).toBeVisible();
  await expect(states(page).last()).toContainText(path.canceled);
  await expect(page.getByRole("alert")).toContainText("Cancelado pelo vendedor");
  await expect(page.getByRole("button", { name: withdrawalsStrings.cancel.action })).toHaveCount(0);
  expect((await quoted(page)).available).toBe(available);

  const address = new URL(page.url()).pathname.replace("/financeiro", "");
  const staff = await staffPage(browser, baseURL);
  await staff.goto(`${staffUrl(baseURL)}${address}`);
  await expect(states(staff).last()).toContainText(path.canceled);
  await staff.context().close();
});

test("a seller schedules withdrawals, and turns them off", async ({ page }) => {
  await page.goto("/financeiro?tab=transfers");
  await page.getByRole("button", { name: scheduleStrings.set, exact: true }).click();
  const modal = page.getByRole("dialog", { name: scheduleStrings.title });
  const choose = async (label: string, option: string | RegExp) => {
    await modal.getByRole("combobox", { name: label }).click();
    await page.getByRole("option", { name: option }).click();
  };
  await choose(scheduleStrings.frequency, scheduleStrings.frequencies.week);
  await choose(scheduleStrings.weekday, scheduleStrings.weekdays[5]);
  await modal.getByRole("textbox", { name: scheduleStrings.minimum }).pressSequentially("10000");
  await choose(withdrawalsStrings.requestTransfer.destination, /^Chave PIX/);
  await modal.getByLabel("Sua senha").fill(owner.password);
  await modal.getByRole("button", { name: scheduleStrings.set }).click();
  await expect(page.getByText(scheduleStrings.saved)).toBeVisible();
  await expect(page.getByText(/^Toda sexta-feira, a partir de R\$.100,00, na chave PIX$/)).toBeVisible();
  await page.getByRole("button", { name: scheduleStrings.remove }).click();
  await page.getByRole("dialog").getByRole("button", { name: scheduleStrings.remove }).click();
  await expect(page.getByText(scheduleStrings.none)).toBeVisible();
});

test("staff see each stage with its sum, and the receipt of a paid withdrawal is a file", async ({
  page,
  browser,
  baseURL,
}) => {
  const { minimum } = await quoted(page);
  const cents = uniqueAmount(minimum);
  await requestWithdrawal(page, baseURL, cents);
  const staff = await staffPage(browser, baseURL);
  await staff.goto(`${staffUrl(baseURL)}/saques`);
  const { stages } = withdrawalsStrings.queue;
  const tab = (name: string) => staff.getByRole("tab", { name: new RegExp(`^${name}`) });
  await expect(tab(stages.pending)).toHaveAttribute("aria-selected", "true");
  await expect(tab(stages.pending)).toContainText(/R\$.*o mais antigo há/);
  await expect(rowOf(staff, cents)).toBeVisible();
  await chooseAction(staff, cents, "Pagar manualmente");
  const question = staff.getByRole("dialog", { name: "Pagar manualmente" });
  await question.getByRole("button", { name: "Pagar manualmente" }).click();
  await expect(rowOf(staff, cents)).toHaveCount(0);
  await tab(stages.in_progress).click();
  await chooseAction(staff, cents, "Aprovar");
  await staff.getByRole("dialog", { name: "Aprovar saque" }).getByRole("button", { name: "Aprovar" }).click();
  await expect(rowOf(staff, cents)).toHaveCount(0);
  await tab(stages.other).click();
  await expect(staff).toHaveURL(/stage=other/);
  await expect(rowOf(staff, cents)).toHaveCount(0);
  await tab(stages.ended).click();
  await rowOf(staff, cents)
    .getByRole("link", { name: plain(withdrawalsStrings.page.open(money(cents))) })
    .click();
  const saved = staff.waitForEvent("download");
  await staff.getByRole("button", { name: withdrawalsStrings.page.receipt.download }).click();
  expect((await saved).suggestedFilename()).toMatch(/^recibo-de-saque.*\.pdf$/);
  await staff.context().close();
});
