// Changes of plans: the impact before saving, a lost edit that continues, a change that needs two people, and a seller's
// comparison with an offered plan.
import { expect, type Page } from "@playwright/test";
import { chooseBusiness, getFromPage, openHost, plain, sendFromPage, staffUrl } from "./panel";
import { checkScreen, DESKTOP, PHONE } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form } from "./users";

const mark = () => Date.now().toString(36);

const PLAN = {
  solution_id: 1,
  mdr: true,
  percentage_rate: "0",
  flat_rate: 0,
  settlement_days: 1,
  pix_fee_fixed: false,
  pix_fee: "0.99",
  ...Object.fromEntries(
    ["visamaster", "others"].flatMap((group) => [
      [`mdr_advance_fee_${group}`, "0"],
      ...["debit", "credit_1", "credit_2to6", "credit_7to12", "credit_13to21"].map((band) => [
        `mdr_${band}_fee_${group}`,
        "3",
      ]),
    ]),
  ),
};

interface SavedPlan {
  id: string;
  description: string;
}

const createPlan = (page: Page) =>
  sendFromPage<SavedPlan>(page, "POST", "/admin/plans", { ...PLAN, description: `Mudança ${mark()}` });

async function openPlan(page: Page, baseURL: string | undefined, { description }: SavedPlan) {
  await page.goto(`${staffUrl(baseURL)}/ajustes/planos?search=${encodeURIComponent(description)}`);
  await page.getByRole("button", { name: `Abrir o plano ${description}` }).click();
  return form(page, `Plano ${description}`);
}

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("the impact of the default plan is computed before it is saved", async ({ page, baseURL }) => {
    await page.goto(`${staffUrl(baseURL)}/ajustes/planos`);
    await page.getByRole("button", { name: "Abrir o plano Maquininha Taxa Efetiva D+2" }).click();
    const modal = form(page, "Plano Maquininha Taxa Efetiva D+2");
    await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,50");
    await modal.getByRole("button", { name: "Salvar" }).click();
    const impact = modal.getByRole("region", { name: "Impacto" });
    const fees = impact.getByRole("table", { name: "Tarifas do mês" });
    await expect(fees.getByRole("row", { name: "Tarifa fixa" })).toBeVisible();
    // Each sale would have cost fifty cents more, unless less than that was left of it.
    const facts = plain((await impact.textContent()) ?? "");
    expect(facts).toMatch(/Plataforma receberiaR\$ [\d.]+,\d\d a mais/);
    expect(facts).toMatch(/Vendedores receberiamR\$ [\d.]+,\d\d a menos/);
    await checkScreen(page, "impact");
    await page.setViewportSize(DESKTOP);
    // Nothing that was typed is lost.
    await modal.getByRole("button", { name: "Voltar" }).click();
    await expect(modal.getByRole("textbox", { name: "Tarifa fixa por venda" })).toHaveValue(/0,50/);
  });

  test("a lost edit shows what changed and continues with what was typed", async ({ page, baseURL }) => {
    await openHost(page, staffUrl(baseURL));
    const plan = await createPlan(page);
    const modal = await openPlan(page, baseURL, plan);
    await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,60");
    const change = { flat_rate: 50, settlement_days: 3 };
    await sendFromPage(page, "PATCH", `/admin/plans/${plan.id}`, change);
    const save = modal.getByRole("button", { name: "Salvar" });
    await save.click();
    await expect(modal.getByRole("region", { name: "Impacto" })).toContainText("Nenhuma empresa");
    await save.click();
    const notice = modal.getByRole("alert").filter({ hasText: "O plano mudou enquanto você editava" });
    await expect(notice).toContainText("Atualizado no formulário: prazo de recebimento.");
    await expect(notice.getByRole("row", { name: "tarifa fixa" })).toContainText("0,50");
    await expect(modal.getByRole("textbox", { name: "Prazo de recebimento (dias)" })).toHaveValue("3");
    await expect(modal.getByRole("textbox", { name: "Tarifa fixa por venda" })).toHaveValue(/0,60/);
    await checkScreen(page, "lost edit", [PHONE, DESKTOP]);
    await save.click();
    await expect(modal.getByRole("region", { name: "Impacto" })).toBeVisible();
    await save.click();
    await expect(modal).toHaveCount(0);
    const saved = await getFromPage<{ current: { flat_rate: number; settlement_days: number } }>(
      page,
      `/admin/plans/${plan.id}`,
    );
    expect([saved.current.flat_rate, saved.current.settlement_days]).toEqual([60, 3]);
  });

  test("a change that needs two people is requested by one and approved by another", async ({
    page,
    browser,
    baseURL,
  }) => {
    await openHost(page, staffUrl(baseURL));
    const plan = await createPlan(page);
    const office = await browser.newContext({
      storageState: await signedInState(browser, baseURL, "platformOwner"),
    });
    const second = await office.newPage();
    await openHost(second, staffUrl(baseURL));
    const needsTwo = async (value: boolean) => {
      const key = "two_person_plan_changes";
      const settings = await getFromPage<{ data: { key: string; revision: number }[] }>(
        second,
        "/admin/settings/platform",
      );
      const revision = settings.data.find((setting) => setting.key === key)?.revision ?? 0;
      await sendFromPage(second, "POST", "/admin/settings/platform", { key, value, revision });
    };
    await needsTwo(true);
    try {
      const modal = await openPlan(page, baseURL, plan);
      await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,60");
      await modal.getByRole("button", { name: "Salvar" }).click();
      await expect(modal.getByRole("region", { name: "Impacto" })).toContainText("Nenhuma empresa");
      await modal.getByRole("button", { name: "Salvar" }).click();
      await expect(modal.getByRole("status")).toContainText("Outra pessoa precisa aprovar.");
      await modal.getByRole("link", { name: "Ver mudanças pedidas" }).click();
      const openChange = async (panel: Page) => {
        await panel.getByRole("button", { name: `Ações: ${plan.description}` }).click();
        await panel.getByRole("menuitem", { name: `Ver a mudança do plano ${plan.description}` }).click();
        return panel.getByRole("dialog", { name: `Mudança do plano ${plan.description}` });
      };
      const own = await openChange(page);
      await expect(own.getByRole("button", { name: "Retirar pedido" })).toBeVisible();
      await expect(own.getByRole("button", { name: "Aprovar" })).toHaveCount(0);
      await second.goto(`${staffUrl(baseURL)}/ajustes/planos?tab=mudancas&status=pending`);
      await expect(second.getByRole("row", { name: new RegExp(plan.description) })).toContainText("Pendente");
      await checkScreen(second, "requested changes", [PHONE, DESKTOP]);
      const change = await openChange(second);
      await expect(change.getByRole("row", { name: "Tarifa fixa" })).toContainText("0,60");
      await expect(change.getByRole("region", { name: "Impacto" })).toContainText("Nenhuma empresa");
      await change.getByRole("button", { name: "Rejeitar" }).click();
      await expect(change.getByText("Informe o motivo.")).toBeVisible();
      await checkScreen(second, "requested change", [PHONE, DESKTOP]);
      await change.getByRole("button", { name: "Aprovar" }).click();
      await expect(flashMessage(second, `Mudança do plano ${plan.description} aprovada.`)).toBeVisible();
      const saved = await getFromPage<{ current: { flat_rate: number } }>(second, `/admin/plans/${plan.id}`);
      expect(saved.current.flat_rate).toBe(60);
    } finally {
      await needsTwo(false);
      await office.close();
    }
  });
});

test.describe("for an owner", () => {
  test.use({ storageState: stateOf("owner") });

  test("last month is compared with a plan that is offered", async ({ page, baseURL }) => {
    const business = await chooseBusiness(page, baseURL, "owner");
    await page.goto("/maquininha/taxas");
    await page.getByRole("combobox", { name: "Outro plano" }).click();
    await page.getByRole("option").first().click();
    const table = page.getByRole("table", { name: "Tarifas do mês passado" });
    const total = table.getByRole("row", { name: "Total de tarifas" });
    await expect(total).toBeVisible();
    const query = { solution: 1, business_id: business };
    const offered = await getFromPage<{ data: { id: string }[] }>(page, "/business/plan/offered", query);
    const plan = offered.data[0]?.id ?? "";
    const compared = await getFromPage<{ current: number; proposed: number; count: number }>(
      page,
      "/business/plan/what-if",
      { ...query, plan },
    );
    expect(compared.count).toBeGreaterThan(0);
    const digits = ((await total.textContent()) ?? "").replaceAll(/\D/g, "");
    expect(digits).toBe(`${compared.current}${compared.proposed}`);
    await checkScreen(page, "comparison with another plan");
  });
});
