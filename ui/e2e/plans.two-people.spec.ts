// A change of a plan that needs two people. The rule can't be switched off at once, so this file comes after the others
// about plans, which run by name.
import { expect, type Page } from "@playwright/test";
import { chooseItem, getFromPage, openHost, sendFromPage, staffUrl } from "./panel";
import { createPlan, openPlan } from "./plan-forms";
import { checkScreen, DESKTOP, PHONE } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage } from "./users";

test.use({ storageState: stateOf("administrator") });

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
  const key = "two_person_plan_changes";
  const settings = await getFromPage<{ data: { key: string; revision: number }[] }>(
    second,
    "/admin/settings/platform",
  );
  const revision = settings.data.find((setting) => setting.key === key)?.revision ?? 0;
  await sendFromPage(second, "POST", "/admin/settings/platform", { key, value: true, revision });
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
      await chooseItem(panel.getByRole("menuitem", { name: `Ver a mudança do plano ${plan.description}` }));
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
    await office.close();
  }
});
