// Plans: the forms of staff, and the fees and the calculator of a seller. The expected amounts are worked examples,
// and not results of the code under test.
import { expect, type Locator, type Page } from "@playwright/test";
import { chooseBusiness, chooseItem, getFromPage, openHost, plain, sendFromPage, staffUrl } from "./panel";
import { mdr, uniqueSuffix } from "./plan-forms";
import { checkScreen, DESKTOP, PHONE } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form } from "./users";

async function openPlans(page: Page, baseURL: string | undefined) {
  await page.goto(`${staffUrl(baseURL)}/ajustes/planos`);
  await expect(page.getByRole("button", { name: /^Abrir o plano/ }).first()).toBeVisible();
}

/** Pastes a column of a spreadsheet into a field. */
async function paste(field: Locator, text: string) {
  await field.focus();
  await field.evaluate((input, copied) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text", copied);
    input.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

const installment = (modal: Locator, count: number) =>
  modal.getByRole("textbox", { name: `${count}x (%)`, exact: true });

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("a sales plan is created with pasted fees, changed for later, and the change withdrawn", async ({
    page,
    baseURL,
  }) => {
    const name = `Plano de teste ${uniqueSuffix()}`;
    await openPlans(page, baseURL);
    await page.getByRole("button", { name: "Novo plano" }).click();
    const modal = form(page, "Novo plano de venda");
    await modal.getByRole("button", { name: "Criar plano" }).click();
    await expect(modal.getByText("requerido").first()).toBeVisible();
    // Debit and each of the 21 installments.
    await expect(modal.getByText("Valor inválido", { exact: true })).toHaveCount(22);
    await checkScreen(page, "new plan with errors");
    await page.setViewportSize(DESKTOP);

    await modal.getByRole("textbox", { name: "Descrição" }).fill(name);
    await modal.getByRole("combobox", { name: "Solução" }).click();
    await page.getByRole("option", { name: "Link de pagamento" }).click();
    await modal.getByRole("textbox", { name: "Taxa percentual (%)" }).fill("0");
    await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,00");
    await modal.getByRole("textbox", { name: "Prazo de recebimento (dias)" }).fill("2");
    const column = Array.from({ length: 21 }, (_, index) => `${3 + index},49%`).join("\n");
    for (const [tab, debit] of [
      ["Visa e Mastercard", "1,99"],
      ["Outras bandeiras", "2,49"],
    ] as const) {
      await modal.getByRole("tab", { name: tab }).click();
      await modal.getByRole("textbox", { name: "Débito (%)" }).fill(debit);
      await paste(installment(modal, 1), column);
      await expect(installment(modal, 21)).toHaveValue("23,49");
    }
    await modal.getByRole("tab", { name: "Boleto e PIX" }).click();
    await modal.getByRole("textbox", { name: "Taxa do PIX (%)" }).fill("0,99");
    await modal.getByRole("textbox", { name: "Tarifa por boleto" }).fill("R$ 3,49");
    const preview = modal.getByRole("region", { name: "Quanto sobra de R$ 100,00" });
    const netOf = async (row: string) =>
      plain((await preview.getByRole("row", { name: row }).textContent()) ?? "");
    await expect(preview.getByRole("row", { name: "Boleto" })).toContainText("96,51");
    expect(await netOf("Crédito à vista")).toContain("R$ 96,51");
    expect(await netOf("Crédito 6x")).toContain("R$ 91,51");
    expect(await netOf("Crédito 12x")).toContain("R$ 85,51");
    expect(await netOf("Crédito 21x")).toContain("R$ 76,51");
    await modal.getByRole("button", { name: "Criar plano" }).click();
    await expect(flashMessage(page, `Plano ${name} criado.`)).toBeVisible();

    await page.getByRole("textbox", { name: "Buscar" }).fill(name);
    await page.getByRole("button", { name: `Abrir o plano ${name}` }).click();
    const edit = form(page, `Plano ${name}`);
    await installment(edit, 1).fill("0");
    await edit.getByRole("tab", { name: "Boleto e PIX" }).click();
    await edit.getByRole("button", { name: "Salvar" }).click();
    // The tab of the invalid field opens.
    await expect(edit.getByText("Valor inválido", { exact: true })).toHaveCount(1);
    await installment(edit, 1).fill("2,99");
    await edit.getByText("A partir de uma data").click();
    await edit.getByLabel("Válido a partir de").fill("2027-01-04");
    const impact = edit.getByRole("region", { name: "Impacto" });
    let show = () => {};
    const shown = new Promise<void>((resolve) => {
      show = resolve;
    });
    await page.route(/\/admin\/plans\/[^/]+\/impact$/, (route) => shown.then(() => route.continue()));
    const save = edit.getByRole("button", { name: "Salvar" });
    await save.click();
    await expect(impact.getByRole("status")).toBeVisible();
    const before = await save.boundingBox();
    show();
    await expect(impact).toContainText("Nenhuma empresa usa este plano.");
    // The button stands still when the result replaces the progress.
    expect(await save.boundingBox()).toEqual(before);
    await save.click();
    await expect(edit).toHaveCount(0);
    await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("04/01/2027 00:00");

    await page.getByRole("button", { name: new RegExp(`^Ações.*${name}$`) }).click();
    await chooseItem(page.getByRole("menuitem", { name: "Versões e histórico" }));
    const versions = page.getByRole("list", { name: "Versões", exact: true });
    await expect(versions).toContainText("Versão 2 · Agendada");
    await checkScreen(page, "versions", [PHONE, DESKTOP]);
    await page.getByRole("button", { name: "Retirar agendamento" }).click();
    await expect(versions).toContainText("Versão 2 · Retirada");
    await expect(page.getByRole("list", { name: "Alterações e acessos" })).toContainText(
      "Visa 1x (%)3,49 → ",
    );
  });

  test("the lists and both modals are accessible and do not overflow", async ({ page, baseURL }) => {
    await openPlans(page, baseURL);
    await checkScreen(page, "plans");
    await page.setViewportSize(DESKTOP);
    await page.getByRole("button", { name: /^Abrir o plano Maquininha MDR com/ }).click();
    const modal = page.getByRole("dialog", { name: /^Plano Maquininha MDR/ });
    await expect(modal.getByRole("textbox", { name: "Débito (%)" })).toHaveValue("1,19");
    await checkScreen(page, "plan");
    await page.setViewportSize(DESKTOP);
    // A card machine takes no boleto.
    await modal.getByRole("tab", { name: "PIX", exact: true }).click();
    await checkScreen(page, "plan, third tab", [PHONE, DESKTOP]);
    await page.keyboard.press("Escape");
    await page.getByRole("tab", { name: "Planos de recebimento" }).click();
    await page.getByRole("button", { name: "Novo plano de recebimento" }).click();
    const receiving = form(page, "Novo plano de recebimento");
    await receiving.getByRole("button", { name: "Criar plano" }).click();
    await expect(receiving.getByText("requerido")).toHaveCount(2);
    await checkScreen(page, "new receiving plan");
    await page.setViewportSize(DESKTOP);
    const name = `Saque ${uniqueSuffix()}`;
    await receiving.getByRole("textbox", { name: "Descrição" }).fill(name);
    await receiving.getByRole("textbox", { name: "Tarifa por saque" }).fill("R$ 5,00");
    await receiving.getByRole("button", { name: "Criar plano" }).click();
    await expect(page.getByRole("row", { name: new RegExp(name) })).toContainText("5,00");
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("the calculator gives the amounts of worked examples", async ({ page, browser, baseURL }) => {
    const business = await chooseBusiness(page, baseURL, "owner");
    const staff = await browser.newContext({
      storageState: await signedInState(browser, baseURL, "administrator"),
    });
    const staffPage = await staff.newPage();
    await openHost(staffPage, staffUrl(baseURL));
    const description = `Figuras ${uniqueSuffix()}`;
    const created = { ...mdr("3", "1.5"), description, solution_id: 1 };
    const { id } = await sendFromPage<{ id: string }>(staffPage, "POST", "/admin/plans", created);
    const plans = `/admin/businesses/${business}/plans`;
    const before = await getFromPage<{ data: { own: boolean; plan: { id: string } | null }[] }>(
      staffPage,
      plans,
    );
    const give = (plan_id: string | null | undefined) =>
      sendFromPage(staffPage, "POST", plans, { plans: [{ solution_id: 1, plan_id: plan_id ?? null }] });
    await give(id);
    try {
      await page.goto("/maquininha/calculadora");
      await expect(page.getByText("Informe um valor para ver o resultado.")).toBeVisible();
      const amount = page.getByRole("textbox", { name: "Valor da venda" });
      const row = (name: string) => page.getByRole("row", { name: new RegExp(`^${name}`) });
      for (const [rate, advance, typed, count, net] of [
        ["3", "1.5", "300,00", "3x", "282,41"],
        ["3.49", "1.8", "600,00", "6x", "542,92"],
        ["3.99", "1.8", "1.000,00", "12x", "848,38"],
        ["3.49", "0", "100,00", "3x", "96,51"],
        ["3.99", "0", "299,90", "12x", "287,93"],
      ] as const) {
        await sendFromPage(staffPage, "PATCH", `/admin/plans/${id}`, mdr(rate, advance));
        // A new page reads the new version.
        await page.goto("/maquininha/calculadora");
        await amount.fill(typed);
        await expect(row(`Crédito ${count}`)).toContainText(net);
      }
      await sendFromPage(staffPage, "PATCH", `/admin/plans/${id}`, mdr("6.91", "0"));
      await page.goto("/maquininha/calculadora?amount=100000&payer=buyer");
      await expect(row("Crédito 3x")).toContainText("1.074,23");
      expect(plain((await row("Crédito 3x").textContent()) ?? "")).toContain(
        "1x de R$ 358,09 + 2x de R$ 358,07",
      );
      for (const [terms, wanted, count, charged] of [
        [{ ...mdr("3.99", "0"), flat_rate: 50 }, 100_00, "à vista", "104,68"],
        [mdr("3.99", "1.8"), 100_18, "12x", "118,03"],
        [mdr("3.99", "1.8"), 100_27, "12x", "118,23"],
      ] as const) {
        await sendFromPage(staffPage, "PATCH", `/admin/plans/${id}`, terms);
        await page.goto(`/maquininha/calculadora?amount=${wanted}&payer=buyer`);
        await expect(row(`Crédito ${count}`)).toContainText(charged);
      }
      await sendFromPage(staffPage, "PATCH", `/admin/plans/${id}`, mdr("6.91", "0"));
      await page.goto("/maquininha/taxas");
      await expect(page.getByText(`Plano ${description}`)).toBeVisible();
      await expect(row("Crédito 21x")).toContainText("6,91%");
    } finally {
      await give(before.data[0]?.own ? before.data[0].plan?.id : null);
      await staff.close();
    }
  });

  test("the fees and the calculators are accessible and do not overflow", async ({ page }) => {
    for (const [address, title] of [
      ["/maquininha/taxas", "Taxas"],
      ["/links-de-pagamento/taxas", "Taxas"],
      ["/maquininha/calculadora?amount=30000", "Calculadora"],
      ["/links-de-pagamento/calculadora?amount=30000&payer=buyer", "Calculadora"],
    ] as const) {
      await page.setViewportSize(DESKTOP);
      await page.goto(address);
      await expect(page).toHaveTitle(new RegExp(` \\| ${title}$`));
      await expect(page.getByRole("row", { name: /^Crédito 21x/ })).toBeVisible();
      await checkScreen(page, address);
    }
  });
});
