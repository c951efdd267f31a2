// The banking calendar: the preview of a local holiday, its addition and its removal.
import { expect } from "@playwright/test";
import type { components } from "../src/api/schema";
import { getFromPage, staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { test } from "./signed-in";
import { stateOf } from "./story-users";
import { flashMessage, form, history } from "./users";

type Preview = components["schemas"]["HolidayPreview"];

test.use({ storageState: stateOf("platformOwner") });

const money = (cents: number) =>
  (cents / 100).toLocaleString("pt-BR", { style: "currency", currency: "BRL" }).replace(/\s/g, " ");

test("an owner sees which dates a local holiday moves, adds it and removes it", async ({ page, baseURL }) => {
  await page.goto(`${staffUrl(baseURL)}/ajustes`);
  await page.getByRole("link", { name: /^Feriados/ }).click();
  const list = page.getByRole("list", { name: "Feriados de 2026" });
  await expect(list.getByRole("listitem").filter({ hasText: "25/12/2026" })).toContainText("Natal");
  await expect(page).toHaveTitle(/ \| Feriados$/);
  await checkScreen(page, "Feriados");

  // The story's sales have installments on this date, 30 days after the tests' day.
  const preview = await getFromPage<Preview>(page, "/admin/holidays/preview", { date: "2026-12-21" });
  expect(preview.promised.count).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Novo feriado" }).click();
  const modal = form(page, "Novo feriado local");
  const effects = modal.getByRole("region", { name: "O que muda" });
  await modal.getByLabel("Data").fill("25122026");
  await expect(effects).toHaveText("Esta data já é feriado: Natal.");
  await modal.getByLabel("Nome").fill("Aniversário da cidade");
  await modal.getByRole("button", { name: "Adicionar feriado" }).click();
  await expect(modal.getByRole("alert")).toContainText("Esta data já é feriado nacional: Natal.");
  await modal.getByLabel("Data").fill("20112026");
  await modal.getByRole("button", { name: "Adicionar feriado" }).click();
  await expect(modal.getByText("A data deve ser hoje ou posterior.")).toBeVisible();
  await modal.getByLabel("Data").fill("21122026");
  await expect(effects).toContainText(`(${money(preview.promised.amount)})`);
  await expect(effects).toContainText("passam para terça-feira, 22 de dezembro.");
  await checkScreen(page, "Novo feriado local");
  await modal.getByRole("button", { name: "Adicionar feriado" }).click();

  await expect(flashMessage(page, "Feriado adicionado: Aniversário da cidade.")).toBeVisible();
  const line = list.getByRole("listitem").filter({ hasText: "21/12/2026" });
  await expect(line).toContainText("Local");
  await line.getByRole("button", { name: "Remover Aniversário da cidade" }).click();
  await form(page, "Remover Aniversário da cidade?").getByRole("button", { name: "Remover" }).click();
  await expect(flashMessage(page, "Feriado removido: Aniversário da cidade.")).toBeVisible();
  await expect(line).toHaveCount(0);
  await expect(history(page)).toContainText("removeu o feriado");
  await page.getByRole("button", { name: "Próximo ano" }).click();
  await expect(page).toHaveURL(/year=2027/);
  await expect(page.getByRole("list", { name: "Feriados de 2027" })).toContainText("01/01/2027");
});
