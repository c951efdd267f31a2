// Changes of plans: the impact before a save, an edit of a plan that has changed since it was opened, and a seller's
// comparison with an offered plan.
import { expect } from "@playwright/test";
import { chooseBusiness, getFromPage, openHost, plain, sendFromPage, staffUrl } from "./panel";
import { createPlan, openPlan } from "./plan-forms";
import { checkScreen, DESKTOP, PHONE } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { form } from "./users";

test.describe("for an administrator", () => {
  test.use({ storageState: stateOf("administrator") });

  test("the impact of a change of the default plan is shown before it is saved", async ({
    page,
    baseURL,
  }) => {
    await page.goto(`${staffUrl(baseURL)}/ajustes/planos`);
    await page.getByRole("button", { name: "Abrir o plano Maquininha Taxa Efetiva D+2" }).click();
    const modal = form(page, "Plano Maquininha Taxa Efetiva D+2");
    await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,50");
    await modal.getByRole("button", { name: "Salvar" }).click();
    const impact = modal.getByRole("region", { name: "Impacto" });
    const fees = impact.getByRole("table", { name: "Tarifas do mês" });
    await expect(fees.getByRole("row", { name: "Tarifa fixa" })).toBeVisible();
    // The plan has no fixed fee today. Each sale would have cost R$ 0,50 more, or only what its other fees leave.
    const facts = plain((await impact.textContent()) ?? "");
    expect(facts).toMatch(/Plataforma receberiaR\$ [\d.]+,\d\d a mais/);
    expect(facts).toMatch(/Vendedores receberiamR\$ [\d.]+,\d\d a menos/);
    await checkScreen(page, "impact");
    await page.setViewportSize(DESKTOP);
    // The form still has the typed values.
    await modal.getByRole("button", { name: "Voltar" }).click();
    await expect(modal.getByRole("textbox", { name: "Tarifa fixa por venda" })).toHaveValue(/0,50/);
  });

  test("an edit of a plan that has changed since shows the changes and keeps the typed values", async ({
    page,
    baseURL,
  }) => {
    await openHost(page, staffUrl(baseURL));
    const plan = await createPlan(page);
    const modal = await openPlan(page, baseURL, plan);
    await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,60");
    const change = { flat_rate: 50, settlement_days: 3 };
    await sendFromPage(page, "PATCH", `/admin/plans/${plan.id}`, change);
    const save = modal.getByRole("button", { name: "Salvar" });
    // The first click shows the impact, the second one sends the edit.
    await save.click();
    await expect(modal.getByRole("region", { name: "Impacto" })).toContainText("Nenhuma empresa");
    await save.click();
    const notice = modal.getByRole("alert").filter({ hasText: "O plano mudou enquanto você editava" });
    await expect(notice).toContainText("Atualizado no formulário: prazo de recebimento.");
    await expect(notice.getByRole("row", { name: "tarifa fixa" })).toContainText("0,50");
    await expect(modal.getByRole("textbox", { name: "Prazo de recebimento (dias)" })).toHaveValue("3");
    await expect(modal.getByRole("textbox", { name: "Tarifa fixa por venda" })).toHaveValue(/0,60/);
    await checkScreen(page, "merged edit", [PHONE, DESKTOP]);
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
