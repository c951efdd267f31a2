// A change of a plan that needs two people. The rule stays on for the rest of the run: switching it off takes effect on
// the next business day. Files start in the order of their names, so this one runs after plans.spec.ts.
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
  const context = await browser.newContext({
    storageState: await signedInState(browser, baseURL, "platformOwner"),
  });
  const approver = await context.newPage();
  await openHost(approver, staffUrl(baseURL));
  const key = "two_person_plan_changes";
  const settings = await getFromPage<{ data: { key: string; revision: number }[] }>(
    approver,
    "/admin/settings/platform",
  );
  const revision = settings.data.find((setting) => setting.key === key)?.revision ?? 0;
  await sendFromPage(approver, "POST", "/admin/settings/platform", { key, value: true, revision });
  try {
    const modal = await openPlan(page, baseURL, plan);
    await modal.getByRole("textbox", { name: "Tarifa fixa por venda" }).fill("R$ 0,60");
    await modal.getByRole("button", { name: "Pedir mudança" }).click();
    await expect(modal.getByRole("region", { name: "Impacto" })).toContainText("Nenhuma empresa");
    await modal.getByRole("button", { name: "Pedir mudança" }).click();
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
    await approver.goto(`${staffUrl(baseURL)}/ajustes/planos?tab=mudancas&status=pending`);
    await expect(approver.getByRole("row", { name: new RegExp(plan.description) })).toContainText("Pendente");
    await checkScreen(approver, "requested changes", [PHONE, DESKTOP]);
    const change = await openChange(approver);
    await expect(change.getByRole("row", { name: "Tarifa fixa" })).toContainText("0,60");
    await expect(change.getByRole("region", { name: "Impacto" })).toContainText("Nenhuma empresa");
    await change.getByRole("button", { name: "Rejeitar" }).click();
    await expect(change.getByText("Informe o motivo.")).toBeVisible();
    await checkScreen(approver, "requested change", [PHONE, DESKTOP]);
    await change.getByRole("button", { name: "Aprovar" }).click();
    await expect(flashMessage(approver, `Mudança do plano ${plan.description} aprovada.`)).toBeVisible();
    const saved = await getFromPage<{ current: { flat_rate: number } }>(approver, `/admin/plans/${plan.id}`);
    expect(saved.current.flat_rate).toBe(60);
  } finally {
    await context.close();
  }
});
