// The staff's panel: the home page, a company's balance, the withdrawals, and the exceptions queue.
import { expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import * as sheets from "../src/api/sheets.json";
import { PENDING } from "../src/features/withdrawals/transferCodes";
import { taxId } from "../src/format/documents";
import { fileName } from "../src/format/fileName";
import { money } from "../src/format/money";
import { strings } from "../src/strings/pt-BR";
import { ledgerStrings } from "../src/strings/pt-BR.ledger";
import { operationsStrings } from "../src/strings/pt-BR.operations";
import { approveAdjustments } from "./adjustments";
import { now } from "./clock";
import { companyWithLines, getFromPage, openHost, staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { centsOf, exportSheet } from "./spreadsheet";
import { administrator, stateOf } from "./story-users";

type Schemas = components["schemas"];

async function openBalance(page: Page, baseURL: string | undefined): Promise<string> {
  await openHost(page, staffUrl(baseURL));
  const business = await companyWithLines(page, 1);
  await page.goto(`${staffUrl(baseURL)}/empresas/${business.id}/saldo`);
  await expect(page.getByRole("heading", { name: business.name })).toBeVisible();
  return business.id;
}

async function totals(page: Page, business_id: string) {
  const answer = await getFromPage<Schemas["BalanceSummary"]>(page, "/admin/balance/history", {
    business_id,
    totals: 1,
  });
  return answer.totals;
}

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("each number of waiting work leads to the list that it counts", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/`);
    await expect(page.getByRole("heading", { name: /^Olá, / })).toBeVisible();
    const expected = await getFromPage<Schemas["AdminOverview"]>(page, "/admin/overview");
    await expect(page.getByLabel("Operação")).toContainText(money(expected.volume_month.gross));
    const work = page.getByLabel("Aguardando a equipe");
    await expect(work).toContainText(money(expected.withdrawals_waiting?.amount ?? 0));
    // The figure, its number, the call of its list, and the heading of the page.
    for (const [label, count, call, title] of [
      ["Saques aguardando", expected.withdrawals_waiting?.count, "/admin/balance/transfers", "Saques"],
      ["Ajustes aguardando", expected.adjustments_waiting?.count, "/admin/balance/adjustments", "Operação"],
      ["Retenções a rever", expected.holds_due?.count, "/admin/balance/holds", "Valores retidos"],
      [
        "Documentos a conferir",
        expected.hold_documents_waiting?.count,
        "/admin/balance/hold-documents",
        "Valores retidos",
      ],
      ["Exceções aguardando", expected.exceptions_waiting, "/admin/exceptions", "Exceções"],
      ["Diferenças em aberto", expected.differences_open, "/admin/settlements/differences", "Conciliação"],
      ["Pagamentos atrasados", expected.payouts_late?.count, "/admin/operations/payouts", "Operação"],
      ["Estornos atrasados", expected.refunds_late?.count, "/admin/operations/refunds", "Operação"],
      ["Cobranças atrasadas", expected.charges_late?.count, "/admin/operations/charges", "Operação"],
      ["E-mails parados", expected.emails_late?.count, "/admin/operations/emails", "Operação"],
      [
        "Vencimento mais antigo em aberto",
        expected.receivables?.late,
        "/admin/operations/receivables",
        "Operação",
      ],
      [
        "Saldos negativos",
        expected.negative_balances?.count,
        "/admin/operations/negative-balances",
        "Operação",
      ],
      ["Eventos a processar", undefined, "/admin/operations/followers", "Operação"],
    ] as const) {
      const card = work.locator("div").filter({ has: page.getByText(label, { exact: true }) });
      const answered = page.waitForResponse((response) => new URL(response.url()).pathname === `/api${call}`);
      await card.getByRole("link").click();
      const { meta } = (await (await answered).json()) as { meta?: Schemas["PageMeta"] };
      expect(meta?.total, label).toBe(count ?? undefined);
      await expect(page.getByRole("heading", { name: title, exact: true })).toBeVisible();
      await page.goBack();
      await expect(card).toBeVisible();
    }
  });

  test("late payouts are tried now, one or all, after a question", async ({ page, baseURL }) => {
    const { retry, ...words } = operationsStrings;
    // Payouts are late after half an hour, so the gateway of the test has none.
    const late = (n: number, row: Partial<Schemas["LatePayout"]>): Schemas["LatePayout"] => ({
      id: `00000000-0000-0000-0000-00000000000${n}`,
      transfer_id: `trf_00000000-0000-0000-0000-00000000000${n}`,
      business_id: "biz_00000000-0000-0000-0000-000000000001",
      business_name: "Padaria",
      amount: 10_000 * n,
      status: "unknown",
      tries: 10,
      last_error: "unreachable",
      next_try_at: now().toISOString(),
      created_at: now().toISOString(),
      ...row,
    });
    const rows = [
      late(1, {}),
      late(2, { status: "unreadable", next_try_at: null, last_error: "unreadable" }),
    ];
    await page.route("**/api/admin/operations/payouts?**", (route) =>
      route.fulfill({
        json: { data: rows, meta: { page: 1, per_page: 20, total: rows.length, total_pages: 1 } },
      }),
    );
    let sent = 0;
    await page.route(`**/api/admin/operations/payouts/${rows[0]?.id}/retry`, async (route) => {
      sent += 1;
      await route.fulfill(
        sent === 1
          ? { status: 409, json: { status: 409, message: "O pagamento está em andamento agora." } }
          : { json: { due: 1 } },
      );
    });
    await page.goto(`${staffUrl(baseURL)}/ajustes/operacao?tab=payouts`);
    const actions = (n: number) =>
      page.getByRole("button", {
        name: strings.list.actionsOf(words.retryName(money(10_000 * n), "Padaria")),
      });
    await actions(2).click();
    await expect(page.getByRole("menuitem", { name: retry.one })).toContainText(retry.parked);
    await page.keyboard.press("Escape");
    await actions(1).click();
    await page.getByRole("menuitem", { name: retry.one }).click();
    const question = page.getByRole("dialog", { name: retry.payouts.oneTitle });
    await expect(question).toContainText(retry.payouts.safety);
    await checkScreen(page, "the question about a payout");
    expect(sent).toBe(0);
    await question.getByRole("button", { name: retry.one }).click();
    await expect(question.getByRole("alert")).toContainText("O pagamento está em andamento agora.");
    await question.getByRole("button", { name: retry.one }).click();
    await expect(question).toHaveCount(0);
    await expect(page.getByText(retry.payouts.oneDone)).toBeVisible();
    // The gateway itself answers that nothing waits.
    await page.getByRole("button", { name: retry.payouts.all }).click();
    const all = page.getByRole("dialog", { name: retry.payouts.allTitle });
    await all.getByRole("button", { name: retry.payouts.all }).click();
    await expect(page.getByText(retry.payouts.allDone(0))).toBeVisible();
    await checkScreen(page, "late payouts");
  });

  test("a home page that cannot be read shows no counts", async ({ page, baseURL }) => {
    let fail: (() => void) | undefined;
    const failing = new Promise<void>((resolve) => {
      fail = resolve;
    });
    await page.route("**/api/admin/overview", async (route) => {
      await failing;
      await route.fulfill({ status: 400, json: {} });
    });
    await page.goto(`${staffUrl(baseURL)}/`);
    await expect(page.getByLabel("Aguardando a equipe")).toBeVisible();
    // The keyboard cannot reach the placeholder of a link.
    const hidden = page.locator("[aria-hidden=true] a");
    await expect(hidden).not.toHaveCount(0);
    expect(await hidden.evaluateAll((links) => links.every((link) => link.closest("[inert]")))).toBe(true);
    fail?.();
    await expect(page.getByRole("alert")).toContainText(strings.failure.title);
    await expect(page.getByLabel("Aguardando a equipe")).toHaveCount(0);
    await expect(page.locator(".mantine-Skeleton-root")).toHaveCount(0);
  });

  test("a balance stays on screen while its company's name cannot be read", async ({ page, baseURL }) => {
    const id = await openBalance(page, baseURL);
    await page.route(`**/api/admin/businesses/${id}`, (route) => route.fulfill({ status: 503, json: {} }));
    await page.reload();
    const notice = page.getByRole("alert");
    await expect(notice).toContainText(strings.failure.title);
    await expect(page.getByLabel("Saldo", { exact: true })).toBeVisible();
    await page.getByLabel(ledgerStrings.asOf.instant).fill("21112026");
    await page.evaluate(() => {
      document.querySelector("form")?.setAttribute("data-kept", "");
    });
    const again = page.waitForResponse(`**/api/admin/businesses/${id}`);
    await notice.getByRole("button", { name: strings.buttons.retry }).click();
    await again;
    await page.unroute(`**/api/admin/businesses/${id}`);
    await notice.getByRole("button", { name: strings.buttons.retry }).click();
    await expect(notice).toHaveCount(0);
    await expect(page.locator("form[data-kept]")).toHaveCount(1);
    await expect(page.getByLabel(ledgerStrings.asOf.instant)).toHaveValue(/^21\/11\/2026/);
  });

  test("a search by document opens the company's balance", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/`);
    await expect(page.getByRole("heading", { name: /^Olá, / })).toBeVisible();
    const { data } = await getFromPage<Schemas["BusinessOptions"]>(page, "/admin/businesses/list");
    const business = data.at(-1);
    const { document } = await getFromPage<Schemas["BusinessDetail"]>(
      page,
      `/admin/businesses/${business?.id}`,
    );
    await page.getByRole("combobox", { name: "Empresa" }).fill(taxId(document));
    await expect(page.getByRole("option")).toHaveCount(1);
    await page.getByRole("option", { name: business?.name ?? "" }).click();
    await expect(page.getByRole("heading", { name: business?.name ?? "", level: 1 })).toBeVisible();
    await expect(page).toHaveURL(new RegExp(`/empresas/${business?.id}/saldo`));
  });

  test("a search without results shows a message", async ({ page, baseURL }) => {
    let showFigures = () => {};
    const figuresMayShow = new Promise<void>((resolve) => {
      showFigures = resolve;
    });
    await page.route("**/admin/overview", async (route) => {
      await figuresMayShow;
      await route.continue();
    });
    await page.goto(`${staffUrl(baseURL)}/`);
    const search = page.getByRole("combobox", { name: "Empresa" });
    await search.fill("nenhuma empresa tem este nome");
    await expect(page.getByText("Vázio", { exact: true })).toBeVisible();
    // What loads later must not push the search away: Mantine hides the list of a field that is out of view.
    const place = await search.boundingBox();
    showFigures();
    await expect(page.getByText("Vendas hoje (bruto)", { exact: true })).toBeVisible();
    expect(await search.boundingBox()).toEqual(place);
    await expect(page.getByText("Vázio", { exact: true })).toBeVisible();
  });

  test("the queue shows pending withdrawals first, and can be filtered and exported", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/saques?stage=all`);
    await expect(page.getByRole("table", { name: "Lista de saques e cobranças" })).toBeVisible();
    const { data } = await getFromPage<Schemas["TransferPage"]>(page, "/admin/balance/transfers");
    const others = data.findIndex(({ status }) => status !== PENDING);
    expect(others).toBeGreaterThan(0);
    expect(data.slice(others).every(({ status }) => status !== PENDING)).toBe(true);
    const { file, titles, rows } = await exportSheet(page);
    expect(file).toBe(`${fileName("saques", undefined, now())}.xlsx`);
    expect(titles).toEqual(Object.values(sheets.staffTransfers));
    expect(
      rows.slice(0, data.length).map((row) => [centsOf(row.Valor), centsOf(row["Disponível agora"])]),
    ).toEqual(data.map(({ amount, available_now }) => [amount, available_now]));
    await page.getByRole("combobox", { name: "Status" }).click();
    await page.getByRole("option", { name: "Recusado" }).click();
    await expect(page).toHaveURL(/status=3/);
    await expect(page.getByRole("row").filter({ hasText: "Recusado" }).first()).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "Pendente" })).toHaveCount(0);
  });

  test("automatic refresh reads the queue again, and is remembered", async ({ page, baseURL }) => {
    await page.clock.install();
    await page.goto(`${staffUrl(baseURL)}/saques`);
    await page.getByRole("combobox", { name: "Atualizar" }).click();
    for (const option of ["A cada 5 minutos", "A cada hora", "A cada 24 horas"]) {
      await expect(page.getByRole("option", { name: option })).toBeVisible();
    }
    await page.getByRole("option", { name: "A cada 5 minutos" }).click();
    const again = page.waitForRequest((request) => request.url().includes("/admin/balance/transfers"));
    await page.clock.fastForward("05:01");
    await again;
    await page.reload();
    await expect(page.getByRole("combobox", { name: "Atualizar" })).toHaveValue("A cada 5 minutos");
  });

  test("a statement line links to its event", async ({ page, baseURL }) => {
    await openBalance(page, baseURL);
    await page
      .getByRole("link", { name: /^Ver o evento/ })
      .first()
      .click();
    const event = page.getByRole("dialog", { name: "Evento contábil" });
    await expect(event.getByRole("heading", { name: "Lançamentos" })).toBeVisible();
    await expect(page).toHaveURL(/event=/);
    await page.keyboard.press("Escape");
    await expect(event).toHaveCount(0);
    await expect(page).not.toHaveURL(/event=/);
  });

  test("a manual adjustment is validated, then recorded", async ({ page, baseURL }) => {
    const business_id = await openBalance(page, baseURL);
    const before = await totals(page, business_id);
    await page.getByRole("button", { name: "Ajuste manual" }).click();
    const form = page.getByRole("dialog", { name: "Ajuste manual de saldo" });
    const confirm = form.getByRole("button", { name: "Confirmar" });
    await form.getByRole("textbox", { name: "Valor" }).pressSequentially("99");
    await confirm.click();
    await expect(form.getByText("Valor não pode ser menor que: R$ 1,00")).toBeVisible();
    await expect(form.getByText("Informe a descrição.")).toBeVisible();
    await expect(form.getByText("A senha é requerida.")).toBeVisible();
    // The modal closes only by its buttons.
    await page.keyboard.press("Escape");
    await expect(form.getByRole("button", { name: "Fechar" })).toHaveCount(0);
    await form.getByRole("textbox", { name: "Valor" }).fill("");
    await form.getByRole("textbox", { name: "Valor" }).pressSequentially(String(before.available + 100));
    await expect(form).toContainText(money(-100));
    await form.getByLabel("Descrição").fill("Acerto");
    await form.getByLabel("Sua senha").fill("não é esta");
    await confirm.click();
    await expect(form.getByText("Senha incorreta.")).toBeVisible();
    await form.getByLabel("Sua senha").fill(administrator.password);
    await confirm.click();
    await expect(form.getByText("Valor não pode ser maior que o saldo")).toBeVisible();

    await form.getByText("Creditar no saldo").click();
    await form.getByRole("textbox", { name: "Valor" }).fill("");
    await form.getByRole("textbox", { name: "Valor" }).pressSequentially("9900");
    await confirm.click();
    await expect(page.getByRole("status").filter({ hasText: "registrado" })).toContainText(money(9900));
    await expect.poll(async () => (await totals(page, business_id)).available).toBe(before.available + 9900);
    await expect(page.getByRole("table", { name: "Extrato" }).getByRole("row").nth(1)).toContainText(
      "Ajuste manual",
    );
  });

  test("a debit can make the balance negative if the administrator allows it", async ({
    page,
    browser,
    baseURL,
  }) => {
    const business_id = await openBalance(page, baseURL);
    const before = await totals(page, business_id);
    const form = page.getByRole("dialog", { name: "Ajuste manual de saldo" });
    const adjust = async (direction: string, cents: number) => {
      await page.getByRole("button", { name: "Ajuste manual" }).click();
      await form.getByText(direction).click();
      await form.getByRole("textbox", { name: "Valor" }).pressSequentially(String(cents));
      await form.getByLabel("Descrição").fill("Acerto");
      const negative = form.getByLabel("Permitir que o saldo fique negativo");
      if (await negative.count()) await negative.check();
      await form.getByLabel("Sua senha").fill(administrator.password);
      await form.getByRole("button", { name: "Confirmar" }).click();
      await expect(form).toHaveCount(0);
    };
    await adjust("Debitar do saldo", before.available + 100);
    await expect(page.getByLabel("Saldo", { exact: true })).toContainText(money(-100));
    await writeOffDebt(page, 40);
    await approveAdjustments(browser, baseURL, business_id);
    await page.reload();
    const debt = page.getByRole("region", { name: `Saldo devedor de ${money(60)}` });
    await expect(debt).toContainText(`${money(40)} · Baixa de dívida`);
    await adjust("Creditar no saldo", before.available + 60);
    await approveAdjustments(browser, baseURL, business_id);
    await page.reload();
    await expect(page.getByLabel("Saldo", { exact: true })).toContainText(money(before.available));
  });

  test("an amount is held and released", async ({ page, baseURL }) => {
    const business_id = await openBalance(page, baseURL);
    const before = await totals(page, business_id);
    const blocked = async () => (await totals(page, business_id)).blocked;
    await page.getByRole("button", { name: "Bloquear" }).click();
    const form = page.getByRole("dialog", { name: "Bloquear saldo" });
    await form.getByRole("textbox", { name: "Valor" }).pressSequentially("151");
    await form.getByLabel("Motivo").fill("Conferência");
    await form.getByRole("button", { name: "Confirmar" }).click();
    await expect(form).toHaveCount(0);
    await expect.poll(blocked).toBe(before.blocked + 151);
    await page.getByRole("link", { name: "Retenções" }).click();
    await page
      .getByRole("row")
      .filter({ hasText: money(151) })
      .getByRole("link")
      .click();
    await page.getByRole("button", { name: "Liberar" }).click();
    const release = page.getByRole("dialog", { name: "Liberar saldo" });
    // The form starts with the whole amount.
    await release.getByLabel("Motivo").fill("Conferência");
    await release.getByRole("button", { name: "Confirmar" }).click();
    await expect(release).toHaveCount(0);
    await expect.poll(blocked).toBe(before.blocked);
  });

  test("an exception can be opened, and is not closed without a reason", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/ajustes/excecoes`);
    await expect(page.getByRole("heading", { name: "Exceções" })).toBeVisible();
    const { data } = await getFromPage<Schemas["ExceptionPage"]>(page, "/admin/exceptions");
    const first = data[0];
    // The story has a notice of an unregistered card machine.
    if (!first) throw new Error("the story has no exception");
    await page
      .getByRole("link", { name: `Ver a exceção ${first.notice_id}` })
      .first()
      .click();
    const detail = page.getByRole("dialog", { name: "Exceção" });
    await expect(detail).toContainText("Conteúdo original");
    await detail.getByRole("button", { name: "Atribuir a uma empresa" }).click();
    const assigning = page.getByRole("dialog", { name: "Atribuir a uma empresa" });
    await expect(assigning.getByRole("combobox", { name: "Empresa" })).toBeFocused();
    // The list opens on demand: by itself it would cover the buttons below.
    await expect(page.getByRole("option")).toHaveCount(0);
    await assigning.getByRole("button", { name: "Cancelar" }).click();
    await detail.getByRole("button", { name: "Encerrar" }).click();
    const form = page.getByRole("dialog", { name: "Encerrar" });
    await form.getByRole("button", { name: "Encerrar" }).click();
    await expect(form.getByText("Informe o motivo.")).toBeVisible();
    await form.getByRole("button", { name: "Cancelar" }).click();
    await expect(detail).toBeVisible();
  });
});

test.describe("for a commercial supervisor", () => {
  test.use({ storageState: stateOf("supervisor") });

  test("balances are readable, and their actions are disabled with a reason", async ({ page, baseURL }) => {
    await openBalance(page, baseURL);
    for (const name of ["Ajuste manual", "Bloquear"]) {
      const action = page.getByRole("button", { name });
      await expect(action).toHaveAttribute("aria-disabled", "true");
      await expect(action).toHaveAccessibleDescription("Apenas administradores podem fazer ajustes.");
      await action.click({ force: true });
      await expect(page.getByRole("dialog")).toHaveCount(0);
    }
  });
});

/** Asks for a write-off of a part of the debt of R$ 1,00 that "Acerto" caused. */
async function writeOffDebt(page: Page, cents: number) {
  const debt = page.getByRole("region", { name: `Saldo devedor de ${money(100)}` });
  await expect(debt.getByRole("table", { name: "O que causou" })).toContainText("Acerto");
  await checkScreen(page, "a balance below zero");
  await page.setViewportSize({ width: 1440, height: 900 });
  await debt.getByRole("button", { name: "Dar baixa" }).click();
  const form = page.getByRole("dialog", { name: "Dar baixa em dívida" });
  await form.getByRole("button", { name: "Confirmar" }).click();
  await expect(form.getByText("Informe o que foi combinado.")).toBeVisible();
  await form.getByRole("textbox", { name: "Valor da baixa" }).pressSequentially(String(cents));
  await form.getByLabel("O que foi combinado").fill("Acordo por telefone");
  await form.getByLabel("Sua senha").fill(administrator.password);
  await form.getByRole("button", { name: "Confirmar" }).click();
  await expect(form).toHaveCount(0);
}
