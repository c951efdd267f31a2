// The platform's rules: changed with immediate effect, scheduled, and a scheduled change removed.
import { expect } from "@playwright/test";
import { staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form, history } from "./users";

test.use({ storageState: stateOf("platformOwner") });

test("an owner schedules a rule, removes the schedule and changes another rule", async ({
  page,
  baseURL,
}) => {
  await page.goto(`${staffUrl(baseURL)}/ajustes`);
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Regras da plataforma/ })
    .click();
  const list = page.getByRole("list", { name: "Regras em vigor" });
  const rental = list.getByRole("listitem").filter({ hasText: "Aluguel da maquininha" });
  await expect(rental).toContainText("R$ 49,90");
  await expect(rental).toContainText("Valor padrão da instalação");
  await checkScreen(page, "Regras da plataforma");

  await rental.getByRole("button", { name: "Alterar Aluguel da maquininha" }).click();
  const modal = form(page, "Aluguel da maquininha");
  const [price, save] = [modal.getByLabel("Valor por mês"), modal.getByRole("button", { name: "Salvar" })];
  await price.fill("");
  await modal.getByText("A partir de uma data", { exact: true }).click();
  await save.click();
  await expect(modal.getByText("requerido")).toHaveCount(2);
  await price.fill("5990");
  await modal.getByLabel("Válido a partir de").fill("2026-11-01");
  await save.click();
  await expect(modal.getByText("A data deve ser futura.")).toBeVisible();
  await modal.getByLabel("Válido a partir de").fill("2027-01-01");
  await checkScreen(page, "Aluguel da maquininha");
  await save.click();
  await expect(flashMessage(page, "Aluguel da maquininha: mudança agendada para 01/01/2027.")).toBeVisible();
  await expect(rental).toContainText("Agendado: R$ 59,90, a partir de 01/01/2027");

  await rental.getByRole("button", { name: /^Remover agendamento/ }).click();
  await form(page, "Remover a mudança agendada?")
    .getByRole("button", { name: "Remover agendamento" })
    .click();
  await expect(flashMessage(page, "Aluguel da maquininha: agendamento removido.")).toBeVisible();
  await expect(rental).not.toContainText("Agendado");
  await expect(history(page)).toContainText("retirou a mudança agendada");

  const days = list.getByRole("listitem").filter({ hasText: "Destaque de saques" });
  for (const count of ["8", "7"]) {
    await days.getByRole("button", { name: /^Alterar/ }).click();
    const dialog = form(page, "Destaque de saques para um novo destino");
    await dialog.getByLabel("Dias de destaque").fill(count);
    await dialog.getByRole("button", { name: "Salvar" }).click();
    await expect(days).toContainText(`${count} dias`);
  }
  await expect(history(page)).toContainText("alterou a regra");
});
