// Companies: one is created by the wizard, whose draft survives a reload, and approved. Also the look-up of postal
// codes, the search, and screens that are accessible and do not overflow.
import { type Browser, expect, type Page } from "@playwright/test";
import type { components } from "../src/api/schema";
import { chooseFile, NO_IMAGE } from "./files";
import { getFromPage, openHost, sendFromPage, staffUrl } from "./panel";
import { checkScreen, DESKTOP } from "./screen-checks";
import { server } from "./servers";
import { test } from "./signed-in";
import { stateOf } from "./story-users";

type Schemas = components["schemas"];

/** A text that no company has. */
const NO_COMPANY = "Inexistente";

/** A percentage that no plan of the story has. */
const OWN_FEE = "7.77";

/** A sales plan for machines whose every fee is the same percentage. */
async function createPlan(page: Page): Promise<string> {
  const description = `Plano da Bia ${Date.now().toString(36)}`;
  const { data } = await getFromPage<Schemas["PlanOptions"]>(page, "/admin/plans/all");
  // A plan with a rate for each installment, unlike one of MDR.
  const model = data.find((plan) => plan.solution_id === 1 && !plan.mdr);
  const { current } = await getFromPage<Schemas["PlanDetail"]>(page, `/admin/plans/${model?.id}`);
  const fees = current?.fees.map((fee) => ({ ...fee, percent_amount: OWN_FEE }));
  const rates = { mdr: false, percentage_rate: "0", flat_rate: 0 };
  const plan = { ...current, ...rates, fees, description, solution_id: 1, active: true, default: false };
  await sendFromPage(page, "POST", "/admin/plans", plan);
  return description;
}

/** An HTML file is refused; a PNG appears with its thumbnail. */
async function uploadDocument(page: Page) {
  const form = page.getByRole("form", { name: "Enviar documento" });
  const send = form.getByRole("button", { name: "Enviar documento" });
  await send.click();
  await expect(form.getByText("Escolha um arquivo.")).toBeVisible();
  const photo = await page.screenshot({ clip: { x: 0, y: 0, width: 300, height: 200 } });
  for (const buffer of [NO_IMAGE, photo]) {
    await chooseFile(page, form.getByRole("button", { name: "Arquivo" }), "rg.png", buffer);
    await send.click();
    if (buffer === NO_IMAGE) await expect(form.getByText("Envie um arquivo PDF, JPEG ou PNG.")).toBeVisible();
  }
  await expect(page.getByText("Documento enviado.")).toBeVisible();
  const thumbnail = page.getByRole("img", { name: "Miniatura de rg.png" });
  await expect
    .poll(() => thumbnail.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(1);
}

/** The owner of the new company reads on the pages, and before the form of a link, what the approval waits for. */
async function readWhatIsMissing(browser: Browser, baseURL: string | undefined) {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } });
  const page = await context.newPage();
  await openHost(page, baseURL ?? "");
  const credentials = { email: "bia.lima@loja.example", password: "uma-senha-longa" };
  await sendFromPage(page, "POST", "/auth/sign-in", credentials);
  const missing = /^Em análise: .*, faltam o comprovante de endereço e o contrato social\./;
  for (const path of ["/", "/vendas", "/links-de-pagamento", "/financeiro"]) {
    await page.goto(`${baseURL}${path}`);
    await expect(page.getByRole("status").filter({ hasText: missing }), path).toBeVisible();
  }
  await expect(page.getByRole("button", { name: "Solicitar saque" })).toHaveAttribute(
    "aria-disabled",
    "true",
  );
  await page.goto(`${baseURL}/links-de-pagamento/novo`);
  await expect(page.getByText("Links de pagamento ficam disponíveis depois da aprovação")).toBeVisible();
  await expect(page.getByRole("form")).toHaveCount(0);
  await checkScreen(page, "a company that waits");
  await context.close();
}

/** The company changes while its form, and that of its address, is open. Both forms are saved nevertheless. */
async function saveAfterConflicts(page: Page, id: string) {
  const company = `/admin/businesses/${id}`;
  const changeMeanwhile = async (change: object) => {
    const { version } = await getFromPage<Schemas["BusinessDetail"]>(page, company);
    await sendFromPage(page, "PATCH", company, { ...change, version });
  };
  await page.getByRole("button", { name: "Editar dados" }).click();
  const data = page.getByRole("dialog", { name: "Editar dados" });
  await data.getByLabel("Nome fantasia").fill("Bia Doces");
  await changeMeanwhile({ trade_name: "Bia Bolos", mcc: "5462" });
  await data.getByRole("button", { name: "Salvar" }).click();
  await expect(data.getByRole("alert")).toContainText(
    "Atualizado no formulário: MCC. Mantido como você digitou: Nome fantasia (agora é Bia Bolos).",
  );
  await expect(data.getByLabel("Nome fantasia")).toHaveValue("Bia Doces");
  await expect(data.getByLabel("MCC")).toHaveValue("5462");
  await data.getByRole("button", { name: "Salvar" }).click();
  await expect(data).toHaveCount(0);
  await page.getByRole("button", { name: "Editar endereço" }).click();
  const address = page.getByRole("dialog", { name: "Editar endereço" });
  await address.getByLabel("Número", { exact: true }).fill("200");
  await changeMeanwhile({ mcc: "5499" });
  await address.getByRole("button", { name: "Salvar" }).click();
  await expect(address.getByRole("alert")).toContainText("Confira e salve de novo.");
  await address.getByRole("button", { name: "Salvar" }).click();
  await expect(address).toHaveCount(0);
  const saved = await getFromPage<Schemas["BusinessDetail"]>(page, company);
  expect([saved.trade_name, saved.mcc, saved.addresses[0]?.number]).toEqual(["Bia Doces", "5499", "200"]);
}

test.describe("for staff", () => {
  test.use({ storageState: stateOf("platformOwner") });

  test("a look-up of a postal code fills in only what it found; without banks no account is added", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/empresas`);
    await page
      .getByRole("link", { name: /^Abrir / })
      .first()
      .click();
    await page.getByRole("button", { name: "Adicionar endereço" }).click();
    const modal = page.getByRole("dialog", { name: "Adicionar endereço" });
    await expect(modal.getByLabel("Cidade")).toHaveCount(0);
    // No state has this code, and no service knows it.
    await modal.getByLabel("CEP").fill("00999999");
    await expect(modal.getByLabel("Cidade")).toBeVisible();
    await modal.getByRole("button", { name: "Salvar" }).click();
    await expect(modal.getByText("O Estado é requerido.", { exact: true })).toBeVisible();
    // The address, the district and the city.
    await expect(modal.getByText("requerido", { exact: true })).toHaveCount(3);
    // The service is down.
    await modal.getByLabel("CEP").fill("99999999");
    await expect(modal.getByText("Não conseguimos buscar o CEP agora. Preencha o endereço.")).toBeVisible();
    await modal.getByLabel("Número", { exact: true }).fill("77");
    await modal.getByLabel("Complemento").fill("Fundos");
    await modal.getByLabel("Cidade").fill("Digitada");
    // The code is of Rio Grande do Sul.
    await expect(modal.getByRole("combobox", { name: "Estado" })).toHaveValue("RS");
    // The service is slow. Another code has emptied what belonged to the one before.
    let release = () => {};
    const held = new Promise<void>((done) => {
      release = done;
    });
    await page.route("**/api/postalcode/**", async (route) => {
      await held;
      await route.continue();
    });
    await modal.getByLabel("CEP").fill("15990000");
    await expect(modal.getByLabel("Buscando o endereço…")).toBeVisible();
    await expect(modal.getByLabel("Cidade")).toHaveValue("");
    await modal.getByRole("textbox", { name: "Endereço" }).fill("Rua digitada");
    // The code is changed before the answer: the answer fills in nothing.
    const answered = page.waitForResponse("**/api/postalcode/**");
    await modal.getByLabel("CEP").fill("1599000");
    await expect(modal.getByLabel("Buscando o endereço…")).toHaveCount(0);
    release();
    await (await answered).finished();
    await expect(modal.getByLabel("Cidade")).toHaveValue("");
    await modal.getByLabel("CEP").fill("15990000");
    await expect(modal.getByLabel("Cidade")).toHaveValue("Matão");
    await expect(modal.getByRole("textbox", { name: "Endereço" })).toHaveValue("");
    await expect(
      modal.getByText("Este CEP vale para toda a cidade. Preencha a rua e o bairro."),
    ).toBeVisible();
    await expect(modal.getByLabel("Número", { exact: true })).toHaveValue("77");
    await expect(modal.getByLabel("Complemento")).toHaveValue("Fundos");
    await page.unroute("**/api/postalcode/**");
    // The service is up.
    await modal.getByLabel("CEP").fill("01001000");
    await expect(modal.getByRole("textbox", { name: "Endereço" })).toHaveValue("Praça da Sé");
    await modal.getByRole("button", { name: "Cancelar" }).click();
    await page.getByRole("button", { name: "Descartar" }).click();
    // Without banks, the modal of a bank account does not open.
    await page.route("**/api/options", (route) => route.fulfill({ status: 400, json: {} }));
    const asked = page.waitForResponse("**/api/options");
    await page.getByRole("button", { name: "Adicionar conta" }).click();
    await asked;
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("the wizard creates a company that waits for its approval", async ({ page, baseURL, browser }) => {
    await page.goto(`${staffUrl(baseURL)}/empresas/nova`);
    const plan = await createPlan(page);
    const next = page.getByRole("button", { name: "Continuar" });
    await next.click();
    for (const message of [
      "Nome é requerido.",
      "Email é requerido.",
      "Senha é requerida.",
      "CPF é requerido.",
    ]) {
      await expect(page.getByText(message, { exact: true })).toBeVisible();
    }
    await page.getByLabel("Nome", { exact: true }).fill("Bia Lima");
    await page.getByLabel("E-mail").fill("bia.lima@loja.example");
    await page.getByLabel("CPF").fill("52998224725");
    await page.getByLabel("Senha", { exact: true }).fill("uma-senha-longa");
    // Without the list of banks, the step of the bank account has no fields.
    await page.route("**/api/options", (route) => route.fulfill({ status: 400, json: {} }));
    await page.reload();
    await expect(page.getByLabel("E-mail"), "the draft").toHaveValue("bia.lima@loja.example");
    await page.getByLabel("Senha", { exact: true }).fill("uma-senha-longa");
    await next.click();
    await next.click();
    await expect(page.getByText("Informe o CNPJ.")).toBeVisible();
    await page.getByRole("radio", { name: "Pessoa física" }).click();
    await expect(page.getByLabel("Nome completo")).toBeVisible();
    await expect(page.getByText("Informe o CNPJ."), "an error of the other type").toHaveCount(0);
    await page.getByRole("radio", { name: "Pessoa jurídica" }).click();
    await page.reload();
    await expect(page.getByText(/digite-a de novo para voltar à etapa Empresa\.$/)).toBeVisible();
    await page.getByLabel("Senha", { exact: true }).fill("uma-senha-longa");
    await next.click();
    await page.getByLabel("CNPJ").fill("12ABC34501DE36");
    await page.getByLabel("Razão social").fill("Loja da Bia Ltda");
    await next.click();
    await expect(page.getByText("CNPJ inválido.")).toBeVisible();
    await page.getByLabel("CNPJ").fill("12ABC34501DE35");
    await next.click();
    await page.getByLabel("CEP").fill("01001000");
    await expect(page.getByLabel("Cidade")).toHaveValue("São Paulo");
    await page.getByLabel("Número", { exact: true }).fill("100");
    await next.click();
    await expect(page.getByRole("combobox", { name: "Plano de recebimento" })).toBeVisible();
    await page.getByRole("combobox", { name: "Maquininha" }).fill(plan);
    await page.getByRole("option", { name: plan }).click();
    await next.click();
    await expect(page.getByText(/^Não conseguimos carregar os bancos agora\./)).toBeVisible();
    await expect(page.getByRole("button", { name: "Criar empresa" })).toHaveCount(0);
    await page.getByRole("button", { name: "Criar sem conta bancária" }).click();
    await expect(page.getByText("Empresa criada. Aguarda aprovação.")).toBeVisible();
    await expect(page.getByRole("link", { name: "Pular por agora" })).toBeVisible();
    await expect(page.getByText(/^Falta para a aprovação: documento de identidade, /)).toBeVisible();
    await uploadDocument(page);
    await expect(page.getByRole("button", { name: "Remover rg.png" })).toBeVisible();
    await page.reload();
    await expect(page.getByRole("img", { name: "Miniatura de rg.png" }), "the step").toBeVisible();
    await page.getByRole("link", { name: "Concluir" }).click();
    await expect(page.getByRole("heading", { name: "Loja da Bia Ltda" })).toBeVisible();
    await expect(page.getByText("Não definido").first()).toBeVisible();
    await expect(page.getByRole("region", { name: "Planos" })).toContainText(plan);
    const log = page.getByRole("region", { name: "Histórico" });
    await expect(log).toContainText("CNPJ");
    await expect(log).toContainText("12.ABC.345/01DE-35");
    await expect(log).toContainText(plan);
    await expect(log).toContainText("Saque padrão");
    await readWhatIsMissing(browser, baseURL);
    await page.getByRole("button", { name: "Aprovar" }).click();
    const approval = page.getByRole("dialog");
    await expect(approval).toContainText("Faltam documentos: comprovante de endereço e contrato social.");
    await approval.getByRole("button", { name: "Aprovar" }).click();
    await expect(approval.getByText("Informe o motivo.")).toBeVisible();
    await checkScreen(page, "Aprovar sem documentos");
    await page.setViewportSize(DESKTOP);
    await approval.getByLabel("Motivo").fill("Visitamos a loja.");
    await approval.getByRole("button", { name: "Aprovar" }).click();
    await expect(page.getByText("Empresa aprovada.")).toBeVisible();
    await expect(page.getByRole("region", { name: "Decisão" })).toContainText("Visitamos a loja.");
    await expect(page.getByRole("button", { name: "Remover rg.png" })).toHaveCount(0);
    const business_id = page.url().split("/").at(-1) ?? "";
    await saveAfterConflicts(page, business_id);
    // The company sells under its own plan.
    const sale = { amount: 100_00, brand: "visa", business_id };
    const taken = await page.request.post(`${server.sandbox}/sandbox/sales`, { data: sale });
    expect(taken.ok()).toBe(true);
    await expect
      .poll(async () => {
        const { data } = await getFromPage<Schemas["AdminSalePage"]>(page, "/admin/transactions", {
          business_id,
        });
        return data.map(({ amount, net_amount }) => amount - (net_amount ?? 0));
      })
      .toEqual([7_77]);
  });

  test("the screens of companies are accessible and do not overflow", async ({ page, baseURL }) => {
    await page.setViewportSize(DESKTOP);
    await page.goto(`${staffUrl(baseURL)}/empresas`);
    await expect(page.getByRole("link", { name: /^Abrir / }).first()).toBeVisible();
    await expect(page).toHaveTitle(/ \| Empresas$/);
    await checkScreen(page, "Empresas");
    await page
      .getByRole("link", { name: /^Abrir / })
      .first()
      .click();
    await expect(page.getByRole("list", { name: "Usuários" })).toBeVisible();
    await checkScreen(page, "one company");
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: "Adicionar conta" }).click();
    const modal = page.getByRole("dialog", { name: "Adicionar conta bancária" });
    await modal.getByRole("button", { name: "Adicionar conta" }).click();
    await expect(modal.getByText("O Banco é requerido.")).toBeVisible();
    await expect(modal.getByText("O tipo de conta é requerido.")).toBeVisible();
    await checkScreen(page, "Adicionar conta bancária");
    await modal.getByRole("button", { name: "Cancelar" }).click();
    await page.goto(`${staffUrl(baseURL)}/empresas/nova`);
    await checkScreen(page, "Nova empresa");
  });

  test("clearing the filters clears a text that is not searched yet, and keeps the order", async ({
    page,
    baseURL,
  }) => {
    await page.clock.install();
    await page.goto(`${staffUrl(baseURL)}/empresas?search=${NO_COMPANY}&sort=name&order=asc`);
    const clear = page.getByRole("button", { name: "Limpar filtros" });
    await expect(clear).toBeVisible();
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    const search = page.getByRole("textbox", { name: "Buscar" });
    await search.fill(`${NO_COMPANY} 2`);
    await clear.click();
    await page.clock.runFor(1000);
    await page.clock.resume();
    await expect(page.getByRole("link", { name: /^Abrir / }).first()).toBeVisible();
    await expect(search).toHaveValue("");
    await expect(page).not.toHaveURL(/search=/);
    await expect(page).toHaveURL(/sort=name/);
    await expect(page).toHaveURL(/order=asc/);
  });

  test("a search that is cleared before it runs does not run", async ({ page, baseURL }) => {
    await page.clock.install();
    await page.goto(`${staffUrl(baseURL)}/empresas`);
    const search = page.getByRole("textbox", { name: "Buscar" });
    await expect(search).toBeVisible();
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));
    await search.fill("Padaria");
    await page.getByRole("button", { name: "Limpar busca" }).click();
    await page.clock.runFor(1000);
    await page.clock.resume();
    // The first search would be sent before this one.
    await search.fill("Souza");
    await expect(page).toHaveURL(/search=Souza/);
    expect(addresses.filter((address) => address.includes("search=Padaria"))).toEqual([]);
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the company's data and its bank accounts are accessible and do not overflow", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("link", { name: "Dados da empresa" }).click();
    await expect(page.getByRole("button", { name: "Editar dados" })).toBeVisible();
    await expect(page).toHaveTitle(/ \| Dados da empresa$/);
    await uploadDocument(page);
    await checkScreen(page, "Dados da empresa");
    await page.goto("/configuracoes/conta-bancaria");
    await expect(page.getByRole("list", { name: "Contas bancárias" })).toBeVisible();
    await checkScreen(page, "Conta bancária");
  });
});
