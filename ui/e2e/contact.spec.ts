// Fale com a gente: a seller writes, staff answer, and the seller has the answer by e-mail and in the panel.
import { expect } from "@playwright/test";
import { emailsTo } from "./emails";
import { staffUrl } from "./panel";
import { checkScreen } from "./screen-checks";
import { signedInState, test } from "./signed-in";
import { owner, stateOf } from "./story-users";
import { flashMessage, form, history } from "./users";

test.use({ storageState: stateOf("owner") });

test("a seller writes, staff answer by e-mail, and close the message", async ({ page, browser, baseURL }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Fale com a gente" }).click();
  await expect(page).toHaveTitle(/ \| Fale com a gente$/);
  const own = page.getByRole("region", { name: "Suas mensagens" });
  await expect(own.getByRole("listitem").filter({ hasText: "Maquininha do Caixa 2" })).toContainText(
    "Respondida",
  );
  const message = page.getByRole("form", { name: "Envie uma mensagem" });
  await message.getByRole("button", { name: "Enviar mensagem" }).click();
  await expect(message.getByText("Informe o assunto.")).toBeVisible();
  await expect(message.getByText("Escreva a sua mensagem.")).toBeVisible();
  await message.getByLabel("Assunto").fill("Dúvida sobre o repasse");
  await message.getByLabel("Mensagem", { exact: true }).fill("Bom dia!\n\nQuando recebo a venda de ontem?");
  await message.getByRole("button", { name: "Enviar mensagem" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Mensagem nº \d+ enviada/ })).toBeVisible();
  const sent = own.getByRole("listitem").filter({ hasText: "Dúvida sobre o repasse" });
  await expect(sent).toContainText("Nova");
  await checkScreen(page, "Fale com a gente");

  const storageState = await signedInState(browser, baseURL, "administrator");
  const staff = await (await browser.newContext({ storageState })).newPage();
  await staff.goto(`${staffUrl(baseURL)}/ajustes/mensagens?state=new`);
  await staff.getByLabel("Buscar").fill("repasse");
  await expect(staff).toHaveURL(/search=repasse/);
  await checkScreen(staff, "Mensagens");
  await staff
    .getByRole("link", { name: /^Abrir a mensagem nº/ })
    .first()
    .click();
  const modal = form(staff, "Mensagem nº");
  await expect(modal).toContainText("Quando recebo a venda de ontem?");
  const send = modal.getByRole("button", { name: "Enviar resposta" });
  await send.click();
  await expect(modal.getByText("Escreva a resposta.")).toBeVisible();
  await modal.getByRole("textbox", { name: "Resposta" }).fill("Amanhã, até as 12h.");
  await checkScreen(staff, "Mensagem");
  await send.click();
  await expect(flashMessage(staff, "enviada.")).toBeVisible();

  const { email } = owner;
  await expect.poll(() => emailsTo(email)[0]?.subject).toContain("Dúvida sobre o repasse");
  expect(emailsTo(email)[0]?.text).toContain("Amanhã, até as 12h.");

  await staff.goto(`${staffUrl(baseURL)}/ajustes/mensagens?state=answered`);
  await staff
    .getByRole("link", { name: /^Abrir a mensagem nº/ })
    .first()
    .click();
  await expect(history(staff)).toContainText("respondeu por e-mail");
  await modal.getByRole("button", { name: "Encerrar" }).click();
  await expect(flashMessage(staff, "encerrada.")).toBeVisible();
  await staff.context().close();

  await page.reload();
  await expect(sent).toContainText("Encerrada");
  await expect(sent).toContainText("Amanhã, até as 12h.");
});
