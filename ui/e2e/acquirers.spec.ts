// The order of the acquirers of a payment type: changed for all companies, and reset to that of the installation.
import { expect } from "@playwright/test";
import { staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form, history } from "./users";

test.use({ storageState: stateOf("platformOwner") });

test("an owner reorders the acquirers of boletos and returns to the installation's order", async ({
  page,
  baseURL,
}) => {
  await page.goto(`${staffUrl(baseURL)}/ajustes`);
  await page
    .getByRole("main")
    .getByRole("link", { name: /^Adquirentes/ })
    .click();
  const configured = page.getByRole("list", { name: "Adquirentes configuradas" });
  await expect(configured.getByRole("listitem").filter({ hasText: "Zoop" })).toContainText("Simulador");
  const boleto = page
    .getByRole("list", { name: "Ordem das adquirentes" })
    .getByRole("listitem")
    .filter({ has: page.getByRole("heading", { name: "Boleto" }) });
  const order = boleto.getByRole("list", { name: "Adquirentes de Boleto" });
  await expect(order).toHaveText(/Iugu.*Zoop.*Valori/);
  await expect(boleto).toContainText("Ordem padrão da instalação");
  await checkScreen(page, "Adquirentes");

  await boleto.getByRole("button", { name: "Alterar adquirentes de Boleto" }).click();
  const modal = form(page, "Adquirentes de Boleto");
  await modal.getByText("Definir", { exact: true }).click();
  await modal.getByRole("button", { name: "Subir Zoop" }).click();
  await modal.getByRole("button", { name: "Remover Valori" }).click();
  await expect(modal.getByRole("button", { name: "Adicionar Valori" })).toBeVisible();
  await checkScreen(page, "Adquirentes de Boleto");
  await modal.getByRole("button", { name: "Salvar" }).click();
  await expect(flashMessage(page, "Adquirentes de Boleto: mudança salva.")).toBeVisible();
  await expect(order).toHaveText(/Zoop.*Iugu/);
  await expect(order).not.toContainText("Valori");
  await expect(boleto).toContainText("Definida pela plataforma");
  await expect(history(page)).toContainText("alterou as adquirentes");

  await boleto.getByRole("button", { name: "Alterar adquirentes de Boleto" }).click();
  await form(page, "Adquirentes de Boleto").getByText("Padrão da instalação").click();
  await form(page, "Adquirentes de Boleto").getByRole("button", { name: "Salvar" }).click();
  await expect(boleto).toContainText("Ordem padrão da instalação");
});
